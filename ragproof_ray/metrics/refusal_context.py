# ruff: noqa: RUF001 - other alphabets are the point of this file
"""What stands around a refusal: courtesy, conditions, and the joints of a sentence.

Regular expressions over folded text, as in `refusal_phrases`.
"""

from ragproof_ray.metrics.refusal_english import BOOK, SOURCE

# Courtesy, offers and talk about the sources: what surrounds a refusal without
# answering anything.
COURTESIES = (
    r"^(?:and |so |but |however,? |also,? )?(?:i'm|i am|we are|we're)?,? ?(?:\w+ )?(?:sorry"
    r"|afraid|unfortunately|regrettably|apolog|thank|thanks|hello|hi\b|hey|good question"
    r"|great question|that's a|my apologies|dear|as such|therefore)",
    r"\b(?:please|i'd love|i'd like|i would love|i wish|feel free|let me know|happy to|glad to|reach out|get in touch|could you"
    r"|can you|would you|if you|you may|you might|you could|you can|you should|you'll need"
    r"|you would need|you will need|i'd recommend|i recommend|i suggest|i would suggest"
    r"|i'd suggest|contact|consult|try |is there anything|may i|can i|shall i|i can help"
    r"|i can only|i could|i'd be|best to|someone else|once (?:i|you))\b",
    rf"\b(?:{SOURCE}|{BOOK})(?: \w+){{0,4}} (?:only|just|mainly|mostly|primarily|focus"
    r"|discuss|describe|cover|mention|contain|relate|concern|deal|talk|include|provide"
    r"|refer|are about|is about|address|list|are all|is all|is limited|are limited"
    r"|explain|touch|end|stop|is cut|are cut|do (?:discuss|describe|cover|mention))",
    r"^(?:and |so |but |all |instead,? |rather,? )?(?:they|it|these|those|which|that|this)"
    r"(?: do| does)?(?: all| both)?(?: is| are| was| were)? ?(?:only|just|mainly|mostly"
    r"|primarily|focus|discuss|describe|cover|mention|talk|deal|relate|concern|about"
    r"|limited|would (?:be|require|need)|might be|may be|seems?|could be)",
    r"^(?:and |so |but )?(?:i(?:'ve|'m| am| have)? (?:only|just|searched|looked|checked|went"
    r"|reviewed|read|(?:designed|built|here|meant|limited)|was (?:only )?(?:given|provided|trained|asked)|rather|don't want to"
    r"|do not want to|prefer|won't|will not|would rather)|i'd rather|rather than|to avoid"
    r"|having|after|based on|according to|without|any (?:answer|guess)|anything|given)",
    r"\b(?:let me|(?:the|your) question (?:asks|is|concerns)|as far as|from what i|to my knowledge|to the best of|to be honest|honestly|frankly|guess(?:ing)?|speculat\w+|mislead\w*|invent\w*|made up|make up|fabricat\w*)\b",
    r"\b(?:leider|entschuldig\w*|tut mir leid|bitte|wenden sie|wenn sie|falls sie|gerne"
    r"|bedaur\w*|es tut|kontaktieren|fragen sie|sie könnten|danke)\b",
    r"\b(?:(?:dokumente?|unterlagen|quellen?|text\w*|kontext|sie|es) (?:behandel\w*"
    r"|beschreib\w*|enthalten nur|geht nur|befass\w*|erwähn\w*|betreffen|nur))\b",
    r"\b(?:désolé\w*|malheureusement|veuillez|n'hésitez|si vous|contactez|excus\w+"
    r"|je vous (?:invite|conseille|suggère|recommande)|merci|je peux|souhaitez)\b",
    r"\b(?:lo siento|lamentablemente|desafortunadamente|por favor|perd[oó]n|disculp\w*"
    r"|si (?:tienes|tiene|quieres|necesitas|desea\w*)|te recomiendo|le recomiendo|consult\w*"
    r"|gracias|puedo ayudar\w*|contact\w*|sugiero)\b",
    r"\b(?:desculp\w*|lamento|infelizmente|sinto muito|se (?:tiver|quiser|precisar|você)"
    r"|recomendo|entre em contato|obrigad\w*|sugiro|posso ajudar)\b",
    r"\b(?:mi dispiace|spiacente|purtroppo|per favore|scus\w*|se (?:hai|vuole|vuoi|desidera"
    r"|ha)|consigli\w*|grazie|contatt\w*|posso aiutar\w*|ti suggerisco)\b",
    r"\b(?:helaas|sorry|het spijt|excuses|alstublieft|neem contact|als (?:u|je)|raad|bedankt"
    r"|gerust|graag|spijt)\b",
    r"\b(?:извин\w*|к сожалению|сожалею|пожалуйста|простите|если (?:у вас|вы|хотите|вам)"
    r"|обратитесь|рекомендую|попробуйте|спасибо|могу помочь|уточните)\b",
    r"(?:抱歉|对不起|對不起|很遗憾|很遺憾|请|請|建议|建議|如果您|如需|如有|欢迎|歡迎|不好意思|谢谢)",
    r"(?:申し訳|すみません|恐れ入り|残念ながら|お問い合わせ|ください|恐縮|いただけ|場合は|おすすめ|あいにく)",
    r"(?:죄송|유감|안타깝|문의|바랍니다|주세요|주시|부탁|경우|도움이 필요|미안)",
)

CONDITIONS = (
    r"\b(?:if|when|whenever|in case|unless|until|whether|once|because|wenn|falls (?:sie|du|ihr|man|der|die|das)|sobald"
    r"|si|quand|lorsque|cuando|se|quando|als|wanneer|если|когда"
    r"|he|she|said|says|claim(?:s|ed)|asked|told|reads)\b[^,]*$|如果[^,,]*$"
)

# What may follow a declining phrase that is only a case described.
CASES = r"^(?:場合|とき|時|人|方|ときは)|^(?:는|은|을)? ?(?:경우|때|분)"

# Where a sentence falls apart into clauses. A contrasting word stays with its clause.
CONTRASTS = (
    r"\b(?=(?:but|however|although|though|nevertheless|nonetheless|that said|yet"
    r"|aber|jedoch|allerdings|mais|cependant|toutefois|pero|sin embargo|aunque|mas|porém"
    r"|no entanto|ma|però|tuttavia|maar|echter|hoewel|но|однако|хотя)\b)"
    r"|, (?:so|therefore|hence|thus|which means) |, and (?=(?:i|it|they|the) )|[;;]| [–—-] |—|(?=但是|但|不过|不過|然而|しかし|ただし"
    r"|하지만|그러나)|[すん]が、|でしたが、|지만,?"
)
CONCESSIONS = (
    r"^(?:although|though|even though|while|whilst|since|as|because|obwohl|während|bien que"
    r"|aunque|embora|sebbene|hoewel|хотя)\b"
)
