# ruff: noqa: RUF001 - other alphabets are the point of this file
"""The words of declining, by language, as regular expressions over folded text.

Folded means: lower case, straight apostrophes, single spaces, no emphasis. The
expressions use no look-around but `(?!`, which `screening` drops for Polars.
"""

from ragproof_ray.metrics.refusal_english import ENGLISH

GERMAN_SOURCE = (
    r"(?:dokument\w*|unterlagen|kontext\w*|quellen?|text\w*|material\w*|handbuch\w*"
    r"|auszüge\w*|passagen?|abschnitt\w*|wissensdatenbank|informationen)"
)

GERMAN = (
    r"\b(?:weiß|weiss) (?:ich|wir)(?: \w+){0,3} nicht\b",
    r"\b(?:ich|wir) (?:weiß|weiss|wissen)(?: \w+){0,4} nicht\b",
    r"\b(?:kann|könnte|konnte|darf|möchte|werde) ?(?:ich|leider)(?: [\w,]+){0,12} (?:nicht"
    r"|keine?\w*|nichts)\b",
    r"\bich (?:kann|könnte|konnte|darf|möchte|werde|habe|sehe|finde|fand|besitze|verfüge)"
    r"(?: \w+){0,8} (?:nicht|keine?\w*|nichts)\b",
    r"\bwir (?:können|konnten|haben|dürfen|finden)(?: [\w,]+){0,8} (?:nicht|keine?\w*|nichts)"
    r"(?: \w+){0,3} (?:beantworten|sagen|helfen|weiterhelfen|finden|gefunden|information\w*"
    r"|angaben?|auskunft|daten|antwort)\b",
    r"\b(?:habe|finde|liegen|liegt|gibt|fehlen|finden|findet)(?: \w+){0,6} (?:keine?"
    r"|nichts|nicht)(?: \w+){0,3} (?:information\w*|angabe\w*|hinweis\w*|daten|antwort"
    r"|auskunft|auskünfte|gefunden|dazu|darüber|darin)\b",
    r"\bfehlen(?: \w+){0,3} (?:informationen|angaben|daten)\b",
    r"\bkeine (?:\w+ )?(?:information\w*|angaben?|hinweise?|antwort|auskunft|daten)"
    r"(?: \w+){0,4} (?:gefunden|enthalten|vorhanden|verfügbar|zu|über|dazu|darüber|vor"
    r"|geben|entnehmen)\b",
    r"\b(?:enthält|enthalten|erwähn\w+|nenn\w+|gibt|geben|sagt|sagen|steht|stehen|finde\w*"
    rf"|liefer\w+|biete\w*|wird|werden)(?: \w+){{0,3}} {GERMAN_SOURCE}(?: \w+){{0,5}}"
    r" (?:nicht|nichts|keine?\w*)\b",
    rf"\b{GERMAN_SOURCE}(?: [\w,]+){{0,3}} (?:erwähn\w*|enthält|enthalten|nenn\w*|sag\w*"
    r"|geben|gibt|beantwort\w*|beschreib\w*|liefer\w*|biete\w*|geht|gehen|steht|stehen"
    r"|mach\w*|beinhalt\w*|behandel\w*|find\w*|lass\w*|lässt|führ\w*|spezifizier\w*)"
    r"(?: [\w,]+){0,5} (?:nicht|keine?\w*|nichts)\b",
    rf"\b{GERMAN_SOURCE}(?: [\w,]+){{0,8}} (?:nicht|keine?\w*|nichts)(?: \w+){{0,6}}"
    r" (?:erwähn\w*|enthalten|genannt|angegeben|steht|stehen|hervor|beschrieben|beantwort\w*"
    r"|behandelt|erläutert|gefunden|antwort|darüber|dazu|ersichtlich|entnehmen|auskunft"
    r"|angaben?|information\w*)\b",
    r"\b(?:nicht|nichts)(?: \w+){0,4} (?:in den|im|aus den|aus dem)(?: \w+){0,3}"
    r" (?:dokument\w*|unterlagen|kontext|quellen|text\w*|material\w*|handbuch)$",
    r"\b(?:information\w*|angaben?|daten|antwort)(?: \w+){0,4} nicht (?:\w+ )?(?:verfügbar"
    r"|vorhanden|enthalten|bekannt|angegeben|vor)\b",
    r"\bnichts bekannt\b|\b(?:mir|uns)(?: \w+)? (?:nicht|keine?)(?: \w+){0,3} bekannt\b",
    r"\b(?:nicht beantworten|nicht beantwortet|keine ahnung|nicht bestimmen|nicht sagen"
    r"|nicht weiterhelfen|nicht erwähnt)\b",
    r"^(?:das |dies )?(?:ist )?(?:mir )?(?:unbekannt|keine angabe\w*|keine information\w*"
    r"|nicht (?:bekannt|angegeben|erwähnt|verfügbar|gefunden|enthalten))$",
)

FRENCH_SOURCE = (
    r"(?:documents?|contexte|sources?|textes?|passages?|extraits?|informations?|manuel"
    r"|guide|base de connaissances|documentation)"
)

FRENCH = (
    r"\bje (?:ne |n')(?:[\w']+ ){0,3}?(?:sais|connais|trouve|dispose|peux|puis|suis|vois|ai"
    r"|possède|détiens|saurais)\b(?: \w+){0,3}?(?: pas| rien| aucune?|$| malheureusement"
    r"| répondre)",
    r"\bnous (?:ne |n')(?:[\w']+ ){0,3}?(?:savons|trouvons|disposons|pouvons|avons) (?:pas"
    r"|rien|aucune?)(?: [\w']+){0,4} ?(?:répondre|information\w*|réponse|données|trouvé"
    r"|confirmer|dire|aider|déterminer)",
    rf"\b(?:{FRENCH_SOURCE}|il|elle|ils|elles|cela|ceci)(?: [\w,]+){{0,4}} (?:ne |n')"
    r"(?:[\w']+ ?){1,3}? (?:pas|rien|aucune?)?\b ?(?:[\w']+ ){0,4}?(?:mention\w*|indiqu\w*"
    r"|précis\w*|répon\w*|dit|disent|contien\w*|trouv\w*|figur\w*|abord\w*|parl\w*"
    r"|permet\w*|suffi\w*|spécifi\w*|information\w*|évoqu\w*)",
    rf"\b{FRENCH_SOURCE}(?: [\w,]+){{0,4}} (?:ne |n')(?:mention\w*|indiqu\w*|précis\w*"
    r"|répon\w*|dit|disent|contien\w*|fourni\w*|abord\w*|parl\w*|permet\w*|suffi\w*"
    r"|spécifi\w*|évoqu\w*|figur\w*|donn\w*|trait\w*) (?:\w+ )?(?:pas|rien|aucune?)\b",
    r"\bil n'y a (?:pas|rien|aucune?)(?: de| assez d'| assez de)? ?(?:d'|des )?(?:information"
    r"|réponse|mention|données|précision|élément|renseignement)",
    r"\baucune? (?:des|de ces|de mes) (?:documents|sources|textes|passages|extraits)\b",
    r"\baucune? (?:\w+ )?(?:information|mention|réponse|indication|précision|trace"
    r"|renseignement)\b",
    r"\b(?:n'est|ne sont|n'a|n'ont)(?: \w+){0,2} pas(?: \w+){0,2} (?:mentionn\w*|indiqu\w*"
    r"|précisé\w*)",
    r"\binformations?(?: \w+){0,4} (?:n'est|ne sont)(?: \w+)? pas (?:disponible|fourni|donn"
    r"|présent|inclu|trouv)\w*",
    r"\b(?:impossible de (?:répondre|déterminer|trouver|savoir|dire)|pas en mesure de"
    r"|pas assez d'inform\w*|informations? insuffisantes?|aucune idée|hors de (?:ma|mes)"
    r"|je l'ignore|j'ignore)\b",
    r"^(?:inconnue?|non (?:précisé|mentionné|disponible|spécifié|indiqué)e?)$",
)

SPANISH = (
    r"\bno (?:lo |la |los |las |te |le |se |me |he |pude |puedo |podemos |logro )*(?:sé"
    r"|sabemos|encuentro|encontr\w+|dispongo|conozco|logré)\b",
    r"\bno (?:te |le |se |me |lo |hay |he )*(?:puedo|pude|podemos|tengo|tenemos|disponemos"
    r"|hay|cuento|contamos|es posible|soy capaz|estoy segur\w)(?: \w+){0,4} (?:informaci\w*"
    r"|datos|respuesta|responder\w*|contestar\w*|ayudar\w*|mención|detalles|determinar\w*"
    r"|confirmar\w*|decir\w*|saber\w*|acceso|nada|respuestas|proporcionar\w*|suficiente\w*"
    r"|idea|conocimiento|eso)\b|\bno estoy segur\w\b|\bno (?:te |le |lo )?puedo"
    r" (?:responder|ayudar|contestar|decir)\w*",
    r"\b(?:documentos?|contexto|fuentes?|textos?|pasajes?|informaci[oó]n|manual|material\w*"
    r"|fragmentos?|guía|documentaci[oó]n)(?: [\w,]+){0,5} no (?:\w+ ){0,2}(?:menciona\w*"
    r"|contiene\w*|incluye\w*|indica\w*|especifica\w*|dice\w*|habla\w*|proporciona\w*"
    r"|responde\w*|ofrece\w*|aborda\w*|da|dan|figura\w*|aparece\w*|explica\w*|trata\w*"
    r"|cubre\w*|permite\w* (?:saber|responder|determinar)|es suficiente|está\w* (?:disponible"
    r"|incluida|en)|detalla\w*|precisa\w*)",
    r"\bno (?:se |está |aparece |figura |viene |es )+(?:\w+ )?(?:menciona\w*|especifica\w*"
    r"|indica\w*|en (?:los|el) (?:documentos?|contexto|textos?|fuentes)|posible (?:responder"
    r"|determinar|saber))",
    r"\b(?:ningun[oa]? (?:de los |de las )?(?:documentos?|fuentes?|textos?|pasajes?"
    r"|menci[oó]n)|ninguna informaci[oó]n|sin informaci[oó]n|informaci[oó]n insuficiente"
    r"|fuera de mi|ni idea|carezco de|desconozco)\b",
    r"^(?:desconocid[oa]|no (?:especificado|disponible|mencionado|consta)|se desconoce)$",
)

PORTUGUESE = (
    r"\bnão (?:o |a |lhe |te |me |foi |consigo |posso |pude |conseguimos )*(?:sei|sabemos"
    r"|encontrei|encontrar|encontramos|disponho|conheço|localizei|possível (?:responder"
    r"|determinar|saber|encontrar))\b",
    r"\bnão (?:te |lhe |o |há )*(?:posso|pude|podemos|tenho|temos|consigo|consegui\w*|há"
    r"|dispomos|é possível|sou capaz)(?: \w+){0,4} (?:informaç\w+|dados|respostas?|responder"
    r"|ajudar\w*|menção|detalhes|determinar|confirmar|dizer|saber|acesso|nada|suficiente\w*"
    r"|ideia|isso|essa)\b",
    r"\b(?:documentos?|contexto|fontes?|textos?|trechos?|informaç\w+|manual|material\w*"
    r"|guia|documentação)(?: [\w,]+){0,5} não (?:\w+ ){0,2}(?:menciona\w*|cont[eêé]m"
    r"|inclu\w*|indica\w*|especifica\w*|diz\w*|fala\w*|fornece\w*|responde\w*|aborda\w*"
    r"|traz\w*|informa\w*|explica\w*|dão|dá|trata\w*|cobre\w*|est\w+ disponíve\w*|consta\w*"
    r"|são suficientes|é suficiente|detalha\w*)",
    r"\bnão (?:é |está |são |consta |aparece |se )+(?:\w+ )?(?:mencionad\w*|especificad\w*"
    r"|indicad\w*|n[oa]s? (?:documentos?|contexto|textos?|fontes))",
    r"\b(?:nenhum\w* (?:d[oa]s )?(?:documentos?|fontes?|textos?|trechos?|informaç\w+"
    r"|menção)|sem informaç\w+|informaç\w+ insuficientes?|fora do meu|desconheço"
    r"|não faço ideia)\b",
    r"^(?:desconhecid[oa]|não (?:especificado|disponível|mencionado|informado|consta))$",
)

ITALIAN = (
    r"\bnon (?:lo |la |li |le |ne |ti |vi |mi |ho |sono |riesco a |posso |sono riuscit\w a )*"
    r"(?:so|sappiamo|trovo|trovato|trovare|dispongo|conosco|in grado di|possibile (?:rispondere"
    r"|determinare|sapere|stabilire))\b",
    r"\bnon (?:ti |vi |le |ne |lo |ci |è )*(?:posso|possiamo|abbiamo|disponiamo|ho|riesco|c'è|sono"
    r"|vi sono|possibile)(?: \w+){0,4} (?:informazion[ei]|dati|rispost[ae]|rispondere|aiutar\w+"
    r"|menzione|dettagli|determinare|confermare|dire|sapere|accesso|nulla|niente"
    r"|sufficient[ei]|idea|elementi|riferimenti|traccia)\b",
    r"\b(?:document\w+|contesto|font[ei]|test[oi]|bran[oi]|informazion[ei]|manuale"
    r"|material[ei]|guida|estratt[oi]|passaggi\w*)(?: [\w,]+){0,5} non (?:\w+ ){0,2}"
    r"(?:menziona\w*|contien\w*|contengono|includ\w*|indica\w*|specifica\w*|dic\w+"
    r"|parla\w*|fornisc\w*|rispond\w*|riporta\w*|tratta\w*|spiega\w*|forniscono"
    r"|disponibil\w*|sufficient\w*|precisa\w*)",
    r"\bnon (?:è|viene|sono|vengono|risulta)(?: \w+)? (?:menzionat\w*|specificat\w*"
    r"|indicat\w*|riportat\w*)",
    r"\bnon (?:è|sono|risulta\w*)(?: \w+)? (?:present\w|disponibil\w|riportat\w|contenut\w)"
    r" (?:nel|nei|nella|nelle|in)\b",
    r"\b(?:nessun\w*'? ?(?:de[il]\w* )?(?:document\w+|font[ei]|test[oi]|informazion\w*"
    r"|menzione|bran[oi])|informazioni insufficienti|al di fuori del\w* mi\w*)\b",
    r"^(?:sconosciut[oa]|non (?:specificato|disponibile|menzionato|noto))$",
)

DUTCH_SOURCE = (
    r"(?:document\w*|context|bronnen|bron|tekst\w*|passages?|informatie|handleiding"
    r"|materiaal|handboek|fragment\w*|hierin|daarin)"
)

DUTCH = (
    r"\bik (?:weet|kan|kon|heb|vind|vond|zie|mag|beschik)(?: [\w,]+){0,8} (?:niet|geen|niets"
    r"|niks)\b",
    r"\b(?:weet|kan|kon|heb|vind) ik(?: [\w,]+){0,8} (?:niet|geen|niets|niks)\b",
    r"\b(?:we|wij) (?:weten|kunnen|konden|hebben)(?: [\w,]+){0,6} (?:niet|geen|niets)"
    r"(?: \w+){0,3} ?(?:beantwoorden|zeggen|helpen|vinden|gevonden|informatie|gegevens"
    r"|antwoord)\b",
    rf"\b{DUTCH_SOURCE}(?: [\w,]+){{0,3}} (?:vermeld\w*|noem\w*|zeg\w*|bevat\w*|beschrijf"
    r"|beschrijven|geef\w*|geven|behandel\w*|beantwoord\w*|gaa[nt])(?: \w+){0,4} (?:niet"
    r"|geen|niets)\b",
    rf"\b{DUTCH_SOURCE}(?: [\w,]+){{0,6}} (?:niet|geen|niets|nergens)(?: \w+){{0,6}}"
    r" (?:vermeld\w*|genoemd|informatie|antwoord\w*|staat|gevonden|beschreven|bekend"
    r"|te vinden|terug|terugvinden|beschikbaar)",
    r"\bgeen (?:\w+ )?(?:informatie|antwoord|vermelding|idee|details)\b",
    r"\bniet (?:\w+ )?(?:vermeld|genoemd|bekend|beantwoorden|beantwoord)(?:$| (?:in|op|uit)\b)",
    r"\bstaat(?: \w+){0,2} (?:niet|nergens) (?:in|vermeld|beschreven)\b",
    r"^(?:onbekend|niet (?:bekend|vermeld|genoemd|gevonden|beschikbaar))$",
)

RUSSIAN = (
    r"\bне (?:знаю|знаем|наш[её]л|нашла|нашли|нахожу|располага\w+|владею|обладаю)\b",
    r"\b(?:я |мы )?не (?:могу|можем|смог\w*|имею|вижу|удалось|уда[её]тся|уверен\w?|получилось)"
    r"(?: \w+){0,5} (?:ответ\w*|информац\w*|сказать|найти|помочь|данны\w*|сведени\w*"
    r"|упоминан\w*|определить|подсказать|обнаруж\w*|подтвердить)",
    r"\bне уверен\w?\b",
    r"\bу меня нет\b",
    r"\bнет (?:\w+ ){0,2}(?:информаци\w*|данных|сведений|ответа|упоминани\w*|указаний)",
    r"\b(?:документ\w*|контекст\w*|источник\w*|текст\w*|материал\w*|отрывк\w*|фрагмент\w*"
    r"|информаци\w*|справочник\w*|руководств\w*)(?: [\w,]+){0,7} (?:не (?:\w+ )?(?:содерж\w*|упомин\w*"
    r"|указ\w*|говор\w*|сказ\w*|опис\w*|найд\w*|представл\w*|предостав\w*|затраг\w*|включа\w*"
    r"|да[её]т|дают|позволя\w*|отвеча\w*|уточня\w*|обнаруж\w*|раскрыва\w*)|нет|ничего"
    r"|отсутству\w+)\b",
    r"\b(?:информаци\w*|данные|данных|сведени\w*|ответ\w*)(?: [\w,]+){0,6} (?:отсутству\w*"
    r"|не (?:найден\w*|указан\w*|упомина\w*|содерж[аи]тся|представлен\w*|предоставлен\w*"
    r"|приведен\w*|хвата\w*|обнаружен\w*))",
    r"\bне (?:указан\w*|упомина\w*|упомянут\w*|говорится|сказано|содерж\w*|освещ\w*|рассматрива\w*|описан\w*"
    r"|найден\w*)(?: \w+){0,3} (?:в|об|о)\b",
    r"\bнедостаточно (?:\w+ )?(?:информаци\w*|данных|сведений|контекста)|\bневозможно"
    r" (?:ответить|определить|сказать|установить)|\bзатрудняюсь ответить",
    r"^(?:неизвестно|не указан\w*|нет данных|нет ответа)$",
)

CHINESE = (
    r"(?:我|我们|本人|目前|暂时|暫時|抱歉|对不起|對不起)[^。!?;]{0,12}(?:不知道|不清楚|不了解|不太清楚"
    r"|不确定|不確定|找不到|没找到|沒找到|查不到|没能找到|未能找到|没有找到|(?:没有|沒有)[^。!?;]{0,8}"
    r"(?:信息|資訊|资料|資料|答案|记录|数据|了解|权限))",
    r"(?:无法|無法|不能)(?:[^。!?;]{0,10})(?:回答|确定|確定|得知|提供|判断|判斷|找到|确认|確認|协助"
    r"|協助|帮助|幫助|给出|給出|告知|得出)",
    r"(?:文档|文件|资料|資料|上下文|材料|文本|来源|來源|内容|內容|信息|手册|手冊|段落|知识库|知識庫"
    r"|检索结果|文中|其中)[^。!?;]{0,10}(?:没有|沒有|未|并未|並未|并没有|不包含|不包括|无|無|不足)"
    r"(?:提|说|說|相|关于|關於|给|給|包含|记|記|涉|明|回答|这|這|该|該|答案|信息|描述|介绍|指出|显示"
    r"|任何|具体|足够|足夠|找|以|$)",
    r"(?:没有|沒有|未|无|無|缺乏|缺少)(?:找到|提到|提及|说明|說明|相关|相關|关于|關於|任何|足够|足夠|包含"
    r"|涉及|记载|記載|提供|此|该|該)[^。!?;]{0,14}",
    r"^(?:不知道|未知|不清楚|不详|不詳|未提及|暂无\w*|没有答案|无可奉告)$",
)

JAPANESE = (
    r"(?:わかりません|分かりません|わかりかねます|分かりかねます|存じません|存じ上げません|知りません"
    r"|お答えできません|答えられません|お答えできかねます|回答できません|お答えいたしかねます|回答しかねます"
    r"|お手伝いできません|お応えできません|お力になれません|判断できません|特定できません|確認できません"
    r"|提供できません|不明です|わからない|分からない|お答えすることはできません|回答することはできません"
    r"|答えることができません|お答えすることができません|対応できません)",
    r"(?:記載|言及|説明|明記|記述|掲載|提示)(?:されて|して)(?:い|お)(?:ません|りません|ない)"
    r"|読み取れません",
    r"(?:見つかりません|見つけられません|見つけることができません|見当たりません|見つかりませんでした"
    r"|見つけることはできません|見つからない|見当たらない)",
    r"(?:情報|記載|記述|資料|文書|ドキュメント|文脈|コンテキスト|回答|答え|言及|説明|データ|本文|出典"
    r"|マニュアル)[^。!?]{0,20}(?:ありません|ございません|ない(?:です|ため|ので|。|$)|含まれていません"
    r"|記載されていません|書かれていません|述べられていません|触れていません|言及していません"
    r"|言及されていません|持っていません|持ち合わせていません|不足して|不十分|示されていません|提供されていません"
    r"|なく|なかった)",
    r"^(?:不明|わかりません|記載なし|情報なし|該当なし)$",
)

KOREAN = (
    r"(?:모르겠습니다|모릅니다|모르겠어요|몰라요|알 수 없습니다|알 수 없어요|알지 못합니다"
    r"|답변할 수 없|답변드릴 수 없|답할 수 없|대답할 수 없|답변드리기 어렵|답변하기 어렵|확인할 수 없"
    r"|찾을 수 없|찾지 못|도와드릴 수 없|도움을 드릴 수 없|제공할 수 없|제공해 드릴 수 없|알려드릴 수 없"
    r"|판단할 수 없|말씀드릴 수 없|확인되지 않|알려드리기 어렵|확인하지 못|말씀드리기 어렵|도와드리기 어렵)",
    r"(?:언급|명시|기재|기술|제시)되(?:어 있)?지 않",
    r"(?:정보|내용|언급|자료|문서|문맥|답변|데이터|설명|기록|텍스트|지문)[^.!?필]{0,24}(?:없습니다|없어요"
    r"|없네요|없으므로|없어서|없기|(?:나와|포함되어|언급되어|명시되어|기재되어|담겨|적혀) 있지|부족|제공되지 않|언급되지 않|명시되지 않|확인되지 않"
    r"|포함되지 않|언급하지 않|없음|찾지)",
    r"^(?:모름|알 수 없음|정보 없음|해당 없음|불명)$",
)

# By language: cues, one of which stands in every refusal and few answers, and phrases.
REFUSALS = (
    (
        "not|n't|cant |unable|never|fail| no |none|nothing|neither"
        "|nobody|lack|missing|absent|omitted|unavail|guess|undeterm|indeterm|unaware|unsure"
        "|uncertain|declin|refus|abstain|refrain|pass on|to pass"
        "|dunno|beats me|outside|beyond|out of|insufficient"
        "|inadequate|too little|impossible|irrelevant|unrelated"
        "|more inf|more con|more det|additional|further|necessary"
        "|relevant|as an ai|as a lang|as an assist|as a virt"
        "|against my|i only|i just|'m only|am only|re only|'m just|i can only|unknown|unclear"
        "|undisclosed|unspecified|unanswerable|n/a|silent",
        ENGLISH,
    ),
    (
        "nicht|kein|fehlen|unbekannt",
        GERMAN,
    ),
    (
        " pas| rien|aucun|nulle|insuffisant|inconnu|non |hors de |ignore",
        FRENCH,
    ),
    (
        " no |ningun|ningún|sin inf|insuficiente|fuera de|ni idea|carezco|desconoc",
        SPANISH,
    ),
    (
        "não|nenhum|sem inf|insuficiente|fora do|desconhe",
        PORTUGUESE,
    ),
    (
        "non |nessun|insufficienti|al di fuori|sconosciut",
        ITALIAN,
    ),
    (
        "niet|geen|niks|nergens|onbekend",
        DUTCH,
    ),
    (
        "не |нет|неизвест|недостат|невозмож|ничего|отсутств|затрудн",
        RUSSIAN,
    ),
    (
        "不|无|無|没|沒|未|缺|暂",
        CHINESE,
    ),
    (
        "ません|かね|ない|なく|なか|なし|不",
        JAPANESE,
    ),
    (
        "없|않|못|모르|모릅|모름|몰라|어렵|부족|불명",
        KOREAN,
    ),
)
