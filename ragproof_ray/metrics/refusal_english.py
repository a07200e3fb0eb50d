"""The words of declining in English; see `refusal_phrases`."""

# What an English speaker cannot or does not do when declining.
_CANNOT = (
    r"(?:can ?not|can't|cant|could not|couldn't|(?:not|un)(?: currently| yet| been)? ?able"
    r" to|\w+n't (?:been )?able to|will not be able to|won't be able to|not (?:allowed|permitted|authorized"
    r"|authorised|going|in a position) to|won't|will not|must not)"
)
_REPLY = (
    r"(?:answer|access|advise|say|tell|determine|find|locate|confirm|verify|comment|identify|assist"
    r"|help|respond|speculate|infer|conclude|establish|ascertain|know|see any|guess"
    r"|make an?|make any|comply|fulfil|fulfill|do that|do this|discuss|disclose|reveal|make up|address"
    r"|(?:provide|give|share|offer|supply|retrieve|extract|generate|create|write|produce"
    r"|engage in|support)(?: you)?(?: with)? (?:an?|any|the|that|this|those|these"
    r"|specific|more|further|(?:\w+ )?(?:details?|information|advice|content|instructions"
    r"|assistance|guidance|opinions?|answers?)))"
)
_FACTS = (
    r"(?:information|info|details?|answers?|knowledge|records?|context|evidence|mention"
    r"|references?|indication|documentation|insight|specifics|source material)"
)
SOURCE = (
    r"(?:contexts?|documents?|documentation|docs|passages?|sources?|materials?|texts?"
    r"|knowledge base|excerpts?|snippets?|search results?|results|articles?|chunks?"
    r"|(?:provided|available|retrieved|given|supplied|above) (?:information|content|data)"
    r"|information (?:provided|available|given|i have|i was given))"
)
BOOK = (
    r"(?:handbook|manual|guide|polic(?:y|ies)|pages?|faq|reports?|records?|files?|wiki"
    r"|data|corpus|content|notes?|sections?|information|references?|books?|website)"
)
_NOT = r"(?:do not|don't|does not|doesn't|did not|didn't|never|fails? to|failed to)"

ENGLISH = (
    # An answer that says "I cannot" of anything and nothing else has declined.
    r"\bi(?: [\w']+){0,2}? (?:cannot|can't|cant|can not|could not|couldn't|do not|don't"
    r"|have not|haven't|am not|am unable|have no|have nothing|found no|found nothing|see no"
    r"|see nothing|know nothing)\b(?! (?:see why|stress|recommend|emphasi[sz]e|overstate"
    r"|mind|need|wait|fault|reason|problem|issue|doubt|objection|preference|of an))",
    r"\b(?:i'm not|i'm unable|i've no|i've not|i've found no)\b",
    r"\b(?:information|answer|details?)(?: [\w']+){0,6}? (?:(?:is|are|was|were)n't|not)"
    r"(?: \w+)? (?:available|provided|present|there|included|found|given|known|supplied"
    r"|contained)\b(?! (?:to the|until|before|after|in the app))",
    rf"\b(?:appear|seem)s? to (?:be|contain|have|include) (?:any|no)(?: \w+)? {_FACTS}",
    rf"\b(?:i|we)(?:'m| am| are|'re| was| were)?(?: \w+){{0,2}} {_CANNOT}"
    rf"(?: \w+){{0,2}} {_REPLY}",
    rf"(?:^|, |sorry |afraid |unfortunately )(?:but |and )?{_CANNOT} {_REPLY}",
    rf"\band {_CANNOT} {_REPLY}(?: \w+)? (?:who|what|where|when|why|how|which|any|anything"
    r"|an|that|this|it)\b",
    r"\b(?:nobody|no one|no-one) can (?:tell|say|know|answer)\b",
    rf"\b(?:i|we)(?: \w+)? {_NOT}(?: \w+){{0,2}} (?:know|find|see|have)(?: \w+){{0,3}}"
    rf" (?:{_FACTS}|access to|data on|data about)\b",
    rf"\bi(?: \w+)? {_NOT}(?: \w+){{0,2}} (?:know|find|see|have)(?: \w+){{0,3}}"
    r" (?:access|data|enough|anything|that|this|who|what|when|where|why|how)\b",
    rf"\b{_NOT} (?:let|allow|permit|enable) (?:me|us) to\b|\b{_NOT} let (?:me|us)\b",
    rf"\b(?:i|we)(?: \w+)? {_NOT}(?: \w+){{0,2}} know\b(?! of an)",
    rf"\b(?:i|we) {_NOT} (?:think|believe)(?: \w+){{0,3}} {SOURCE}\b",
    r"\bi (?:don't|do not) have (?:that|this|those|an answer|enough|access|any|the)\b",
    rf"\b(?:i|we) (?:have|had|see|saw|find|found|could find|can find|know of|got) no"
    rf"(?: \w+){{0,2}} (?:{_FACTS}|idea|data|way|access|means|clue)",
    rf"\b(?:i|we) (?:lack|am missing|'m missing|am lacking)(?: \w+){{0,3}} {_FACTS}",
    r"\b(?:i|we)(?:'ve| have|'d| had)?(?: not|n't|haven't)(?: yet| been able to)?"
    r"(?: found?| seen| located?| been (?:given|provided|told|shown))",
    r"\b(?:i'm|i am|we're|we are)(?: \w+)? (?:unaware|unsure|uncertain|not (?:sure|aware"
    r"|certain|familiar|comfortable|qualified|trained|equipped|privy|informed))",
    r"\b(?:i|we)(?:'ll| will| must| have to| need to| would)?(?: \w+)?"
    r" (?:decline|refuse|abstain|refrain|pass on|have to pass)\b",
    r"\b(?:no idea|no clue|beats me|dunno|no comment)\b",
    rf"\b{SOURCE}(?: \w+){{0,5}} {_NOT}(?: \w+){{0,2}} (?:mention|contain|include|say"
    r"|state|specify|provide|cover|discuss|address|answer|describe|give|list|reveal"
    r"|indicate|explain|name|identify|have|disclose|touch|refer|show|tell|note|report"
    r"|detail|define|help|offer|talk|go into|speak|seem|appear|clarify|make)",
    rf"\b{BOOK}(?: \w+){{0,4}} {_NOT}(?: \w+){{0,2}} (?:mention|say|state|specify"
    r"|discuss|address|answer|describe|reveal|indicate|tell|disclose|talk about|touch on"
    r"|go into|(?:contain|include|provide|cover|give|have) (?:any|information|details"
    r"|that|this|an answer|anything|enough))",
    rf"\b(?:it|they|that|this|which|nothing|nobody|but|and) {_NOT}(?: \w+)? (?:mention|say"
    r"|state|specify|discuss|address|answer|indicate|(?:contain|include|provide|cover"
    r"|give) (?:any|information|details|that|this|an answer|anything|enough))\b",
    rf"(?:\bnot|n't|\bnever)(?: \w+){{0,2}} (?:mentioned|specified|stated|covered|included"
    r"|provided|found|available|given|discussed|addressed|listed|described|disclosed"
    r"|documented|present|contained|answered|explained|named|identified|recorded|shown|clear|anything|something"
    rf"|part)(?: \w+){{0,4}} (?:{SOURCE}|(?:this|the) (?:\w+ )?(?:handbook|manual|guide|faq|wiki)$|my (?:\w+ )?{BOOK}"
    r"|here|i (?:have|can))\b",
    r"\b(?:is|are|was|were|it's|that's|been)(?: \w+)?(?: not|n't)(?: \w+)? (?:mentioned"
    r"|specified|stated|documented|disclosed)\b",
    r"n't (?:\w+ )?(?:mentioned|specified|stated|documented|disclosed)\b",
    r"\b(?:there(?: is|'s| was| are| were)|contains?|provides?|gives?|makes?|includes?"
    r"|offers?|with|found|has|have|holds?|shows?|yielded|returned) no(?: \w+){0,2}"
    r" (?:mention|information|info|details|indication|answer|specifics|insight|entry"
    r"|entries)(?:$|[,.:]| (?:on|about|regarding|for|that|in|into|available|to|of|which"
    r"|concerning|relating|related|whatsoever|at|here|there|from|provided|as)\b)",
    rf"\bthere(?: is|'s| was| are| were)(?: no|n't any| not any| nothing)(?: \w+){{0,4}}"
    rf" (?:in|about|on|from) (?:the |my |these |any |our )?(?:\w+ )?(?:{SOURCE}|{BOOK})",
    rf"\b(?:nothing|none|neither|no (?:mention|\w+ing)|no (?:relevant|such|matching)"
    rf" \w+)(?: \w+){{0,5}} (?:{SOURCE}|{BOOK})\b",
    rf"\bno (?:\w+ )?(?:{SOURCE}|information|info|details|mention|answers?)(?: \w+){{0,4}}"
    r" (?:mention|say|state|found|available|exist|provided|match|contain|describe|discuss"
    r"|cover|address|specif|retrieved|returned|located|on|about|regarding|that)",
    r"\b(?:outside|beyond|out of)(?: \w+){0,2} (?:scope|my (?:knowledge|expertise|remit"
    r"|area|sources|documents|abilit\w+|capabilit\w+)|what|the (?:provided|available"
    r"|documents|documentation|context))",
    rf"(?:\binsufficient|\bnot enough|n't enough|inadequate|too little|not sufficient"
    rf"|n't sufficient|no sufficient)(?: \w+){{0,2}}"
    rf" (?:{_FACTS}|data)",
    r"\b(?:cannot|can't|can not|could not|couldn't)(?: \w+)? be(?: \w+)? (?:answered|resolved|addressed|settled"
    r"|determined|inferred|established|ascertained|known|deduced|verified|concluded"
    r"|derived)\b",
    r"\bnever (?:mentioned|specified|stated|named|addressed|discussed)\b",
    r"n't possible(?: for me)? to (?:answer|determine|know|say|tell|infer|establish|verify)\b",
    r"\b(?:not possible(?: for me)? to|impossible(?: for me)? to|no way(?: for (?:me|us))? to|not able to"
    r"|unable to)(?: \w+)? (?:answer|determine|know|say|tell|infer|establish|verify"
    r"|conclude|find (?:that|this|any|the answer))\b",
    rf"\b(?:i|we)(?:'d| would)? (?:need|require|miss|lack)(?: \w+){{0,2}} (?:more|additional"
    rf"|further|necessary|relevant|required|needed)(?: \w+)? (?:{_FACTS}|data)\b",
    r"\b(?:more|further|additional) (?:information|context|details) (?:is|are|would be)"
    r" (?:needed|required|necessary)\b",
    r"\bas an? (?:ai|language model|assistant|virtual)\b|\bagainst my (?:\w+ )?(?:guideline"
    r"|polic|programming|rule|instruction)",
    r"\b(?:not (?:something|a (?:topic|question|subject)|information) (?:that )?(?:i|we))"
    r"\b",
    r"\b(?:i'm|i am|we're) (?:only|just) (?:trained|able|designed|here|allowed|set up|meant"
    r"|built|programmed)\b",
    r"\bi (?:only|just)(?: \w+)? (?:answer|have|cover|handle|help|know|deal|discuss)"
    r"|\bi can only (?:answer|help|assist|discuss|talk|provide|respond)",
    r"^(?:it|that|this|the answer)(?:'s| is| remains) (?:unknown|unclear|undisclosed"
    r"|unspecified|unanswerable)\b|\b(?:unclear|unknown) from\b|\bunanswerable\b"
    r"|\bsilent (?:on|about|regarding)\b|\bfound nothing\b|\bnone of (?:them|these|those"
    r"|which)\b",
    rf"\bnot in my (?:\w+ )?(?:{SOURCE}|{BOOK})\b|\b(?:is|are|remains?) (?:unknown|not known)$",
    rf"(?:\bnot|n't)(?: \w+)? in (?:\w+ ){{0,3}}{SOURCE}(?:$| (?:i|that i|you|provided"
    r"|available|at hand|here)\b)",
    rf"\b(?:{SOURCE}|{BOOK})(?: \w+){{0,2}} (?:has|have|had|contains?|gives?|offers?|includes?"
    r"|provides?|holds?) no \w+ (?:on|about|regarding|concerning|describing|covering)\b",
    r"\bnothing in (?:\w+ ){1,4}(?:covers?|mentions?|says?|address\w*|answers?|describes?"
    r"|explains?|discuss\w*|suggests?|indicates?|relates?)\b",
    r"\b(?:information|data|answer|details?)(?: \w+)? (?:unavailable|not available)$",
    r"\bi(?:'d| would)(?: only)? (?:be guessing|have to guess)\b|\bunknown to me\b",
    r"\bnot (?:answerable|(?:in )?my (?:area|field|domain))\b|\bagainst (?:our|company|the)"
    r" (?:guideline|polic)",
    rf"\b(?:{SOURCE}|{BOOK})(?: \w+){{0,4}} (?:lacks?|(?:says?|mentions?|contains?|offers?"
    r"|reveals?|gives?|provides?|states?|shows?) nothing)\b(?! (?:will|is|was|can|has))",
    rf"\b{_NOT} (?:appear|occur|exist|come up|show up)(?: \w+){{0,4}} {SOURCE}\b",
    rf"\b(?:missing|absent|omitted) from(?: \w+){{0,3}} {SOURCE}\b",
    r"\b(?:not relevant|irrelevant|unrelated) to (?:the|your|this|that) (?:question|query"
    r"|request|topic)\b|\bmakes? no (?:reference|mention|statement)\b",
    r"^(?:the )?(?:information|answer)(?: \w+){0,5} (?:is|are|was|were) ?(?:not|n't)(?: \w+)?"
    r" (?:provided|available|given|included|present|found|known|here|there)\b",
    r"^but not (?:its|his|her|their|the|who|what|when|where|why|how)\b",
    r"^(?:but|and|yet|though|however,?|they|it|which|that) (?:do|does) ?(?:not|n't) (?:mention|say|specify|state|address|indicate"
    r"|discuss|(?:provide|contain|include|cover|give) (?:any|information|details|that|this))"
    r"\b",
    r"^(?:the )?(?:answer(?: is)?:? )?(?:unknown|n/a|no answer|unanswerable|not (?:available"
    r"|found|mentioned|specified|stated|given|answerable|provided|known|sure|covered"
    r"|disclosed)|no data(?: available| found)?$|no (?:information|info|results?|relevant \w+|matches|match)"
    r"(?: \w+){0,2}|nothing (?:found|relevant)|insufficient \w+|none (?:found|available"
    r"|given)|unsure|unspecified|undetermined|indeterminate|unavailable)(?: (?:in|from|by|on|about|here)\b.*)?$",
)
