/**
 * The words by which people teach an agent, by language. A row is data: alternatives of a regular expression, matched
 * without regard to case, with `'` for every apostrophe and `¤` for a file, a command or an option that the sentence names.
 * Where two rows fit one place, the longer words count, then the role that stands first here.
 */

export const ROLES = [
  /** A doubt, a plan, a word about this moment, or about the speaker: the sentence teaches nothing. */
  'void',
  /** The agent left something out. */
  'blame',
  /** Reminds of something. */
  'remind',
  /** A thing behind it is the moment: something is due before it, or at it and after it. */
  'before',
  'when',
  /** Holds for good, and the same with a `not` in it. */
  'firm',
  'never',
  /** A thing behind it is unwanted. */
  'not',
  /** A thing behind it has to be done first. */
  'without',
  /** The moment or the ban, behind the thing. */
  'before-behind',
  'when-behind',
  'not-behind',
  /** Why the thing before it is the wrong one. */
  'fault',
  /** Somebody has to do it. */
  'must',
  /** Verbs: what follows is to be changed, or used. */
  'change',
  'want',
  /** Several files change together. */
  'sync',
  /** Nobody edits such a file. */
  'made',
  /** Asks the agent for what follows. */
  'ask',
  /** Words before and between the others that name nobody and nothing. */
  'small',
] as const;
export type Role = (typeof ROLES)[number];
export type Language = Readonly<Partial<Record<Role, string>>>;

const PLEASE = `please|pls|plz|kindly|bitte|s'il te plaît|stp|svp|por favor|porfa|pf|pfv|per favore|alsjeblieft|aub|graag|пожалуйста`;
const TASK = String.raw`^\W*(?:(?:please|can you|could you|now|then|and|also|next|ok|so|good|no|nope),? )*(?:write(?: up)?|draft|create|implement|build|set up|configure|introduce|develop|make|generate|give|document|mention|translate|summari[sz]e|explain|extract|show|fix|add|append|change) (?!sure)(?:an?|the|some|me|in|to|another|new|this|that|every|all|how|why|what|whether|which|where)\b|^\W*(?:in|inside) (?:the )?¤+,`;

export const LANGUAGES: Readonly<Record<string, Language>> = {
  english: toRows(String.raw`
    void: ${TASK}|^\W*(?:(?:no|now|ok|please|then),? )*(?:look at|(?:show|tell) me|(?:the )?(?:wrong|other) (?:file|folder|directory|branch|remote|one)\b)|i mean(?:t)?|try(?= (?:running |using |with )?¤)|¤+ (?:uses|calls|mentions|contains|documents|describes)|maybe|perhaps|except(?!ion)|(?:apart|aside) from|(?:anything|nothing|not) (?:but|only)|i (?:think(?! you)|guess(?!:)|wonder|believe|always|never|used)|not sure|might|(?:we|i|it|that) would(?! like you)|would (?:be nice|we|it|that|i)|(?:we|it)'d|if we|thinking out loud|^\W*(?:(?:ok|so|and|also|now|please|hey|thanks),? )*(?:can|could|would|will) you(?! (?:please |just |also |always |never |from now on )*(?:use|run|stop|not|avoid|make sure (?:you|to)|remember|never|always)\b)|should (?:it|this|that|they|there|the)|also should|(?:the )?question|i (?:allow|permit)|(?:don'?t|do not|doesn'?t) need|either|^what we|we (?:really |also |still )?need to|(?:can|could|shall|should|do|would|are|did|why don'?t) we|(?:how|what) (?:about|if|does)|how (?:do|does|can|should)|whether|let'?s(?! not)|i want(?! you| to see| ¤)|i'?d (?:like(?! you)|prefer)|(?:for|until|right) now|for (?:the moment|today|once)|this (?:time|once)|(?:only|just) (?:this )?once|once\W*$|today|tonight|yet|until (?:then|i|we)|(?:in|for|on|with) this (?:case|commit|pr|mr|task|change|branch|file|one|function|ticket|release|session|run|test|spike|demo|hotfix)|for this(?!.*\b(?:always|never|from now on))(?=\W|$)|no need|(?:don'?t|never) ?(?:worry|mind|bother)|no (?:problem|rush|worries|luck|idea)|not bad|as always|(?:great|nice|glad|love|good) (?:that|how|call|work|job)|(?:never|always) (?:seen|had|been|heard|worked|used|tried|nice|happen(?:s|ed))|(?:at|in|with|on) my (?:last|old|previous|former|first|other) (?:job|team|company|employer|project|place|workplace)|back then|years ago|you (?:can|could|may)(?! ?not|'t)|whatever you|if (?:possible|needed|you (?:need|want|like|have time)|¤+(?!¤| (?:changes?|gets?|moves|is (?:changed|edited|updated|touched|bumped|modified)|has changed)))|while you(?:'re| are) (?:there|at it|in there)|(?:says?|(?<!\bi )said|wrote(?! (?:this|that|it) down)|told me|which reads?)
    blame: you(?:'ve| have)?(?: \w+)? (?:forgot(?:ten)?|missed|skipped|omitted|overlooked|neglected|dropped|left (?:out|behind)?)(?: to| about)?|(?:u|you) (?:always|keep|kept) (?:forget(?:ting)?|skip(?:ping)?|miss(?:ing)?)(?: to)?|(?:did|have) you forg[eo]t(?:ten)?(?: to| about)?|why (?:didn'?t|haven'?t) you(?: also)?|(?:u|you)(?:'ve| have)? (?:still |again )?(?:didn'?t|did not|haven'?t|have not|never)(?: also| even| actually)*(?= (?:updat|bump|edit|chang|touch|regenerat|sync|adjust|add|refresh|extend|regist|renam|rebuil|includ|mirror|commit|r[ua]n|call|generat|format|check))|you (?:should|were supposed to) have(?: also)?|you should'?ve(?: also)?|(?:but|and|^\W*(?:again|oh|hey|hm+),?|^\W*)(?: you)? forgot(?:ten)?(?: to| about)?|(?:but|and (?:again|still))(?: again| still)? (?:didn'?t|did not|not(?: (?:to|in|into|the))*)(?= (?:\w+ )?¤)|and (?:didn'?t|did not)(?= (?:\w+ )?¤)|(?:again|still) no(?= ¤)|(?<=(?:edited|changed|bumped|updated|added|touched)[^,.]{0,20} )(?:but|and) no(?= ¤)|you only|(?<=¤ )(?:did not|didn'?t|never) r[au]n|(?<=¤[^,.]{0,25} )(?:was|were|is|are|has|have)(?:n'?t| not| still not)(?: been)? (?:run|updated|bumped|changed|regenerated|touched|added|synced|committed|rebuilt|listed|included|mentioned|registered)|(?<=¤ (?:\w+ )?)not (?:updated|bumped|changed|regenerated|run)|still (?:has|have|says?|shows?|lists?|on|at) (?:the )?(?:old|previous|wrong|last) (?:versions?|numbers?|values?|names?)|still (?:says?|at|on) v?\d+\.\d[\w.]*|(?:is|are|was|were|stayed) (?:still )?(?:unchanged|missing again(?! in)|the old one)|(?:is|are) (?:again |still )missing|(?:is|are)(?: now| still| again)? out of (?:sync|date) (?:again|now)|(?<=¤[^,.-]{0,25} )(?:should|must) (?:also )?have been|(?:was|were|got) (?:again )?(?:left (?:out|behind)|forgotten|missed|skipped)|where(?:'s| is| are)(?= (?:the|my) ¤)|(?:is|are)n'?t (?:listed |mentioned )?in(?: (?:that|the|your)(?: last)?)?(?= (?:¤|commit|pr|push))
    remind: (?:don'?t|do not|never) (?:you )?forget(?! that)(?: (?:to|about|the))?|remember (?:to|about)|remember(?= (?:the )?¤)|make sure(?: to| that)?(?= (?:you|to|also|we|always|never)\b)(?: to)?|be sure to|ensure (?:that )?you|i (?:already |just |clearly )?(?:told|asked) you to|as i (?:said|told you)|(?:you|u) (?:also )?(?:need|have|has) to(?: also)?|(?:also|too),? (?:needs?|has|have) to|you must(?: also| always)?|you(?:'ve)? got(?:ta| to)|think of
    firm: we (?:only |always |all |just )?(?:use|run|prefer|work with|do|have|keep)|we(?:'ve|'re|re| are| have)? (?:only )?(?:using|on|got|(?:switched|moved|migrated|gone|went) (?:over )?to)(?= ¤)|(?:this|the|our) (?:repo|repository|project|codebase|team|package|monorepo) (?:only )?(?:uses|runs|is on|is (?=¤))|(?:it'?s|its|this is|that'?s|we'?re) an?(?= ¤+ (?:repo|project|monorepo|shop|codebase|workspace))|package manager(?: here)? is|is (?:what|how) (?:i|we|you|ci|things|it)(?: \w+)?|is the (?:one|way) to \w+|that'?s what ¤+ is for|there'?s an?(?: \w+){0,2}(?= \W?¤)|we (?:also )?keep|from (?:now|here|this point|today) on(?:wards?)?|going forward|moving forward|in (?:the )?future|for (?:the )?(?:future|next time|later)(?=\W|$)(?! reference)|for (?:the )?future reference(?=[:,])|next time|lessons? learn(?:ed|t)|(?:as a|new|general|house|project|team|repo|one|hard|standing|important|simple|golden) (?:general )?rule|rule of thumb|rule(?:s here|(?: here| in this \w+)?(?=:| is))|ever again|for good|every ?(?:single )?time(?! (?:you|we|i))|each time(?! (?:you|we|i))|(?:each|every)(?: and every)?(?: single)?(?= ¤)|(?:keep|bear) (?:(?:this|that|it) )?in mind|(?:go(?:es)?|runs?|happens?) (?:only )?(?:through|via)(?= ¤)|for the record|(?:our|the|by|as a) (?:policy|convention|habit)(?: here)?(?: is)?|once and for all|(?:please )?remember(?: (?:this|that|it))?(?=(?: please| pls)?(?:[:,.!]|\W*$))|for everything|(?:how often|how many times)|(?:the )?(?:second|third|fourth|fifth|nth|\d+(?:nd|rd|th)) time|(?:that'?s|this is|it'?s) (?:mandatory|required|the rule)|no exceptions|(?:in general|generally|by default)|in (?:that|this) order|anymore|any more|always|allways|without exception|make it a habit to|make a habit of|only (?:ever )?(?:with|via|through|use|inside(?: the \w+)?)|only ever|not the other way (?:a)?round|whenever possible|(?:must|have to|has to|should|need to|needs to) always
    never: (?<!¤ (?=never\W*(?:$|[,;])))never(?: ever)?|we (?:do not|don'?t|never|no longer)(?: do| use| ever)*|nobody|no one|(?:don'?t|do not|dont) (?:you )?ever|under no circumstances(?: should you)?|no more(?= (?:\w+ing )?¤)|(?:keep |take )?(?:your )?(?:hands|fingers|paws) off(?: of)?|stay (?:out of|away from|off)|(?:i )?(?:don'?t|do not|never) (?:ever )?want to see(?: you)?(?: \w+ing)?(?= ¤.{0,60}\b(?:again|ever)\b)
    not: instead of|in place of|rather than|over(?= ¤)|(?:and |but )?not(?: (?:plain|bare|raw|the|with|via|in|loose in|directly in|inside|under|just|from|to))*(?= ¤)|no longer(?= ¤)|don'?t(?: you)?|let'?s not|i (?:really )?(?:don'?t|do not) want(?: you to(?: \w+)?)?(?= ¤)|do not|stop(?= (?:\w+ing|it|that|this|with)\b|\W*$|[,!:])|avoid|quit|refrain from|leave (?:out|off|away)|leave(?= ¤+ (?:alone|as))|shouldn'?t|should not|mustn'?t|must not|can'?t|cant|cannot|no(?: direct| manual| plain| more)*(?= ¤)|no (?=¤|\w+ing\b)|not|no longer|(?:dropped|ditched|abandoned|got rid of)(?= ¤)|(?:switched|moved|migrated|gone|went)(?: away)? from(?= ¤)|isn'?t|aren'?t|(?<=[,.;:-] |^)(?:a |the )?(?:bare|plain|raw)(?= ¤)|why(?= ¤)|why (?:are you|do you|did you)(?= \w+(?:ing)? ¤)
    without: without(?: first)?|unless|until|(?:only|not) (?:after|once|if|when|before|until)(?: you| the)*
    before: (?:and )?only then|before(?: you| any| each| every| we| opening| making| doing| even| a| the)*|prior to|ahead of|(?:and |only )?then(?= (?:the |you |do )?¤)
    when: (?:when(?:ever)?|if|once|as soon as|after|while|(?:every|each|any) ?(?:single )?time) (?:you|we|u)(?! (?:are|have|haven'?t|need|want|see|feel|think|like)\b)(?:'ve)?|(?:when(?:ever)?|if|once|every time|each time|any ?time)(?= (?:the )?¤+ (?:changes?|gets?|is (?:changed|edited|updated|touched|bumped|modified)|has changed|moves))|(?:when(?:ever)?|if|once)(?= (?:an?|the|any|something|anything) [^,.;]*¤+ (?:is|are|gets?|was) (?:\w+ed|changed))|any(?:thing|one)? you (?:change|edit|touch|add)(?: in| to| under)*|an? (?:changed|modified|edited)(?= ¤)|whatever goes (?:in|into|to)|after (?:touching|changing|editing|modifying|updating|adding)|after(?: any| each| every| a| an| the)*|when(?! i\b)|whenever(?! (?:i|possible)\b)|as soon as|alongside|(?:together|along|in sync|in step|aligned) with|bumping|(?:every|each|any) (?:new |single )?(?:\w+ )?(?:change|edit|file|page|migration|component|endpoint|test|module|model|field|column|key|entry|script|route|version)s? (?:in|of|to|under|for)|for (?:every|each|any) new|(?:every|each|any)(?= ¤+ (?:changes? |edits? )?(?:needs|requires|must|has to|gets|comes))|(?:a change|changes) (?:in|of|to)(?= (?:the )?¤)|a change (?:in|of|to)
    not-behind: (?<=¤ )never(?=\W*$|[,;])|(?:is|are)(?:n'?t| not) (?:something|anything|a file|files) (?:for you to|you|we|to)(?: should| ever)*(?= (?:edit|change|touch|modify)\b)|(?:must|should|may|can|is|are)(?:n'?t| not| never)(?: ever| to)* be(?= (?:\w+ly )?(?:edited|changed|touched|modified|altered|deleted|removed|overwritten|rewritten|renamed)(?! by (?!hand)))|(?:is|are|'s) (?:dead|gone|deprecated|obsolete|legacy|history|outdated|forbidden|banned|taboo|prohibited|frozen|off[- ]limits|off the table|read[- ]?only|an? (?:absolute )?no-?go|not (?:a thing|installed|available|supported|used|ok|okay|allowed|an option|acceptable))(?: here)?|(?:directly )?(?:doesn'?t|does not|won'?t) (?:work|exist|count)(?: here)?|alone(?=\W|$)|(?:is|are) (?:mine|ours|off|(?:my|our) (?:job|thing|business))(?=\W|$)|(?:stays?|remains?) (?:as (?:it is|they are)|untouched|unchanged)
    fault: (?<=¤ )(?:(?:only )?(?:misses|lacks|skips|ignores|picks up|pollutes|bypasses)|takes (?:ages|forever|\d+)|is (?:only )?for|uses (?:the wrong|only)|(?:doesn'?t|does not|won'?t) (?:start|load|set|use|have|include|know|pick|see|respect|read))
    must: (?:must|ha(?:s|ve) to|needs? to|should)(?: also| always)* be(?= (?:also |always )?(?:updat|bump|edit|chang|adjust|add|regenerat|sync|extend|rais|increment)\w*)|(?:must|have to|has to|need to|needs to|should|ought to|are supposed to|is supposed to)|needs?(?: an?| its)?|requires?|means|belongs? to
    change: (?<=needs? (?:an? )?(?:new )?)(?:line|entry|bump|row|mention)|updat(?:e|ed|es|ing)|bump(?:ed|s|ing)?|edit(?:ed|s|ing)?|chang(?:e|ed|es|ing)|modif(?:y|ied|ying)|touch(?:ed|ing)?|regenerat(?:e|ed|ing)|sync(?:ed|ing)?|adjust(?:ed|ing)?|add(?:ed|ing)?|refresh(?:ing)?|increment(?:ing)?|extend(?:ed|ing)?|register(?:ed|ing)?|writ(?:e|ing)(?: to)?|renam(?:e|ed|ing)|rebuild(?:ing)?|overwrit(?:e|ing)|delet(?:e|ing)|remov(?:e|ing)|includ(?:e|ing)|mirror(?:ing)?|patch(?:ing)?|fiddle with|mess with
    want: (?<=from ¤+ )(?:over )?to(?= ¤)|us(?:e|ing)|prefer|stick (?:to|with)|go (?:with|through)|switch to|work with|via|through|reach for|run(?:ning)?|re-?run|execut(?:e|ed|ing)|call(?:ing)?|invok(?:e|ing)|pass(?:ing)?|launch|start|apply|type|give|prefix|it'?s(?= ¤)|it (?:has to|must|should) be(?= ¤)|do(?:ing)?
    sync: all (?:of them|three|four|of these|of those)|together|(?:in|out of) (?:sync|step|lockstep)|(?:the )?same version|match(?=\W*$|(?: \S+){0,3} ¤)|(?:be|stay|remain|keep) (?:the same|identical|equal)|the other(?= moves| too| as well|\W*$)|go(?:es)? (?:hand in hand|together|along)(?: with)?|belong together|aligned|twins?|pair|share
    made: (?<=¤ )output|(?:auto-?)?generated|vendored|(?:is|are|gets?) (?:written|bumped|updated|produced|managed|maintained|built|compiled|derived|rendered|exported|created|emitted|owned|handled|overwritten) (?:by|from)|gets? (?:overwritten|regenerated|rebuilt)|comes? (?:straight )?(?:from|out of)|(?:is|are) (?:the |an )?outputs? of|build (?:output|artifacts?)|dumped by|somebody else'?s
    small: without (?:it|that|this)|supposed|meant|do me a favou?r|i(?:'d| would) (?:rather|prefer)(?: it if)?(?: you)?|(?:in|for|on) (?:this|our) (?:repo|repository|project|codebase|monorepo|workspace|org|team|company|env|environment|machine|box|server|cluster|laptop)|by hand|manually|hand-?edit(?:ed|ing)?|yourself|let me|i(?:'?ll| will)|which|because|cause|cuz|since|otherwise|or else|so that|so it|as it|as they|the reason|that'?s why|or (?:ci|the|it|they|you|everything|we)|if not|they|them|these|those|both|two|three|i(?: want|'d like| would like| need| expect) you to|v\d+(?:\.\d+)*|with|but|so|then|it'?s|instead(?! of)|do|just|could you|can you|would you|will you|to|you|u|we|simply|the|a|an|any|anything|everything|all|some|our|your|my|its|in|into|of|on|for|from|under|inside|be|been|is|are|was|were|get|gets|got|has|have|and|or|nor|ok|okay|hey|hi|hm+|ah|oh|uh|um|well|now|no+|nope|nono|nah|existing|merged|applied|released|published|wrong|sorry|thanks|thx|btw|note|again|really|actually|seriously|still|first|only|ever|there|everywhere|once more|one (?:more )?thing(?: though)?|though|nice|good|great|cool|important|plain|bare|raw|own|new|same|command|flag|option|file|files|folder|directory|dir|even|right|alright|yes|yeah|fyi|by|at|at all|directly|me|us|as|wait|argh|sigh|reminder|also|here|also|too|both|as well|at the same time|accordingly|in addition
  `),
  german: toRows(String.raw`
    void: vielleicht|außer|(?:bei|in|an) meine[mrn] (?:letzten|alten|früheren|vorigen)|damals|soll(?:t)?en wir|könn(?:t)?en wir|was wäre|ich (?:glaube|denke|möchte|will|werde|habe|hab|mache)|lass uns|erstmal|vorerst|diesmal|fürs erste|heute|kannst du|warum(?! hast)|wieso(?! hast)|vergiss es|noch nicht|(?:für|in) diese[rnms]? (?:mal|pr|commit|branch|aufgabe|funktion|fall)|schreib(?:e)? in|(?:er|sie|es|das|man|ci) (?!bitte)\S+ (?:immer|nie)
    blame: du hast(?: \S+){0,7} (?:vergessen|übersehen|ausgelassen|nicht (?:aktualisiert|angepasst|geändert|ausgeführt|mitgezogen|erhöht|ergänzt|generiert))|(?:schon )?wieder vergessen|vergessen(?=,? ¤)|warum hast du(?: \S+){1,5} nicht|(?<=¤ )hast du (?:\S+ ){0,3}(?:vergessen|übersehen|nicht (?:aktualisiert|angepasst|geändert|ausgeführt|mitgezogen|erhöht))|du hättest|(?:wurde|ist|sind|wurden) (?:noch )?(?:nicht (?:aktualisiert|angepasst|geändert)|veraltet)|fehl(?:t|en) (?:(?:schon|mal|noch|wieder|immer) ?)+|(?:steht|hat|zeigt) noch (?:die|der|das|auf der) alte[nr]?
    remind: vergiss (?:bitte )?nicht(?!,? dass)|nicht vergessen|denk(?:e)?(?: bitte)? (?:daran|dran|an)|du musst|musst du|stell(?:e)?(?: bitte)? sicher|sorg(?:e)? dafür|achte darauf
    firm: wir (?:benutzen|verwenden|nutzen|nehmen|arbeiten mit|machen)|wir (?:haben|sind auf)(?= ¤)|ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|in zukunft|zukünftig|künftig|(?:fürs|beim) nächste[ns]? mal|nächstes mal|merk(?:e|t)? dir(?: das)?|grundsätzlich|generell|jedes ?mal|gelernt:|regel|gilt (?:immer|für alle)|(?<!wie )immer|stets|nur (?:mit|noch|per|über)|bei (?:jeder|jedem)
    never: nie(?:mals)?(?: wieder| mehr)?|auf keinen fall|unter keinen umständen|(?:finger|hände|pfoten) weg von
    not: statt|anstatt|anstelle(?: von)?|(?:und )?nicht(?: mit| nach| in| unter)?(?= ¤)|nichts?|kein(?:e|en)?|vermeide|hör auf(?: mit)?|lass(?: bitte)?(?= ¤.{0,20}(?:weg|sein|in ruhe))
    without: ohne(?: dass)?(?: vorher| zuerst)?|bevor nicht|solange nicht
    before: und erst (?:dann|danach)|bevor(?: du| wir)*|vor(?: jedem| jeder| dem| einem| der)?
    when: (?:immer |jedes ?mal,? )?(?:wenn|falls|sobald) (?:du|wir|man)|nachdem(?: du)?|nach(?: jeder| jedem| dem| der| einer| einem)?(?: änderung(?:en)?| anpassung)?(?: an| in| von)?|wenn|sobald|als du|(?:zusammen|gemeinsam) mit|bei (?:jeder|jedem|einer) (?:änderung|anpassung|neuen? \S+)(?: an| in| von)?|jede[rs]?(?= ¤)
    not-behind: nicht (?:mehr )?(?:benutzen|verwenden|nutzen|anfassen|ändern|bearbeiten|editieren|ausführen|nehmen)|(?:ist|sind) (?:verboten|tabu|tot|veraltet)
    must: muss|müssen|soll(?:st|en|te|ten)?|braucht|gehör(?:t|en) (?:auch|dazu)
    change: (?:zu )?aktualisier(?:e|en|t|st)|änder(?:e|n|st|t)|geändert|(?:mit)?anpass(?:en|t|e)|pass|angepasst|(?:zu )?bearbeit(?:e|en|et)|editier(?:e|en|t)|erhöh(?:e|en|t|st)|fass(?:t)?|anfass(?:en|t)?|angefasst|(?:mit|nach)(?:zu)?ziehen|ergänz(?:e|en|t)|mitändern|eintragen|hinzufüg(?:en|st)
    want: benutz(?:e|t|en)?|verwend(?:e|et|en)?|nimm|nutz(?:e|en)?|nehmen|führ(?:e|en)?|aus(?:zu)?führ(?:en|t)|ausgeführt|lass|starte|ruf(?:e)?|laufen|mach(?:en|st)?|aufrufen|sondern
    made: (?:auto(?:matisch )?)?generiert|eingefroren|schreibgeschützt
    small: hier|in diesem (?:repo|projekt)|das ist ein|bei uns|(?:von|per) hand|manuell|händisch|direkt|weil|da sonst|sonst|denn|damit|mit|du|wir|mal|zu|einfach|doch|aber|stattdessen|und|dann|also|der|den|dem|des|die|das|ein|eine|einen|einem|einer|in|im|an|am|auf|für|von|oder|ok|okay|danke|nein|ja|hey|hm+|so|noch|schon|wieder|erst|zuerst|vorher|nur|jetzt|dass|als|wird|werden|wurde|ist|sind|hat|hast|zum|zur|datei|dateien|lassen|bei|ab|weg|überall|dafür|da|es|sie|aus|auch|ebenfalls|ebenso
  `),
  french: toRows(String.raw`
    void: peut-être|pas encore|sauf|est-ce qu|on pourrait|pourrait-on|je (?:pense|crois|veux|voudrais|vais|lance|fais)|et si|pour l'instant|cette fois|pour le moment|aujourd'hui|devrait-on|pourquoi(?! (?:tu n'as|n'as))|pour (?:ce|cette) (?:pr|commit|branche|tâche|fois)|(?:ça|il|elle|ci|le script|je) \S+ (?:toujours|jamais)|toujours la même|ajoute[rz]? ceci
    blame: (?:tu as|t'as|vous avez) (?:encore |aussi )?(?:oublié|omis|raté|sauté)(?: d[e'])?|tu n'as pas(?= (?:mis à jour|lancé|exécuté|modifié|régénéré))|tu aurais dû(?: aussi)?|pourquoi (?:tu n'as pas|n'as-tu pas)|il manque(?: encore)?|n'a pas été(?= mis|modifi)|n'est (?:toujours |encore )?(?:pas|plus) à jour
    remind: (?:n')?oublie(?:z)? pas(?: d[e'])?|pense(?:z)? (?:bien )?à|rappelle-toi(?: d[e'])?|(?:il |tu |vous |on )?(?:faut|dois|devez)(?: que tu)?|assure-toi
    firm: (?:ici )?(?:on|nous) (?:utilise|utilisons|emploie)|on (?:a|est passé à|est sur)(?= ¤)|à partir de maintenant|dorénavant|désormais|à l'avenir|la prochaine fois|(?:à )?chaque fois|leçon (?:apprise|retenue)|règle|souviens-toi|retiens(?: bien)?(?: ça)?|(?<!(?:comme|est|sont) )toujours|systématiquement|(?:uniquement|seulement) avec|à chaque
    never: (?:il |on )?(?:n[e'] ?\S+ )?jamais|n[e'] ?\S+ plus|en aucun cas
    not: plutôt que|au lieu d[e']|à la place d[e']|(?:et )?pas(?: dans| avec| sous)?(?= ¤)|(?:il |on )?ne \S+ pas|n'\S+ pas|pas(?: d[e'])?|évite(?:z)?(?: d[e'])?|arrête(?:z)? d[e'](?:\S+er)?|interdit d[e']
    without: sans(?: avoir)?(?: d'abord)?|tant que
    before: et seulement (?:ensuite|après)|avant (?:d[e']|chaque|tout|le|la|que tu|un|une)?
    when: (?:quand|lorsque|si|dès que|(?:à )?chaque fois que) (?:tu|on|vous)|après (?:avoir|chaque|le|la|un|une|que|toute modification de)?|à chaque (?:\S+ ){1,3}(?:d[eu]|dans)|quand|lorsque|dès que|en (?:modifiant|changeant|éditant)|en même temps que
    must: doi(?:t|vent)|nécessite|faudrait
    change: met(?:s|tre|tez)? à jour|mis(?:e)? à jour|modifi(?:e|es|er|ez|é)|chang(?:e|es|er|é)|édit(?:e|er|es|é)|touch(?:e|er|es)|incrémente(?:r|s)?|(?:l')?ajout(?:e|er|es|é)|synchronise(?:r)?|régénère(?:r)?|bump(?:er|é)?
    want: utilis(?:e|ez|er|ons)|emploie|préfère|prends|passe(?:r)? par|lanc(?:e|er|ez|é)|exécut(?:e|er|ez|é)|fais(?: tourner)?|faire|relance(?:r)?|appelle
    small: ici|dans ce (?:dépôt|repo|projet)|c'est un projet|chez nous|(?:à|a) la main|manuellement|directement|sinon|parce qu[e']|car|puisque|pour que|avec|mais|donc|puis|ensuite|tu|on|vous|merci|de|d'|juste|le|la|les|l'|un|une|des|du|dans|sur|à|au|aux|en|et|ou|non|oui|ok|bien|bon|encore|d'abord|seulement|que|est|sont|été|être|a|as|fichier|fichiers|dossier|pour|bref|par contre|nouveau|nouvelle|il|là|aussi|également|en même temps
  `),
  spanish: toRows(String.raw`
    void: quizás?|(?:todavía|aún) no|no (?:\S+ )?(?:todavía|aún)|excepto|salvo|tal vez|podríamos|podemos|deberíamos|creo que|pienso|quiero|quisiera|voy a|por ahora|esta vez|por el momento|hoy|y si|por qué(?! no (?:actualizaste|ejecutaste))|cómo(?! siempre)|(?:en|para) est[ea] (?:pr|commit|rama|caso|tarea)|(?:siempre|nunca) (?:falla|funciona|he)|(?:eso|esto|él|ella|el script|yo) (?:\S+ )?(?:siempre|nunca)
    blame: (?:te )?(?:has )?(?:olvidaste|olvidado|saltaste|faltó)(?: (?:de|otra vez))*|te (?:has )?olvid(?:aste|ado)(?: de)?|faltan?(?: por)?(?= (?:actualizar|cambiar|regenerar|¤))|se te (?:olvidó|pasó|ha olvidado)(?: \S+r)?|no(?: has)?(?= (?:actualizaste|actualizado|ejecutaste|cambiaste|corriste|regeneraste))|deberías haber|por qué no(?= (?:actualizaste|ejecutaste))|no (?:se actualizó|está(?:n)? actualizad[oa]s?)
    remind: no (?:te )?olvides(?: de)?|recuerda(?! esto)|acuérdate de|tienes que|hay que|asegúrate de
    firm: (?:aquí |acá )?(?:usamos|utilizamos|se usa|trabajamos con|pasamos a|tenemos)|de ahora en adelante|a partir de (?:ahora|hoy)|desde ahora|en (?:el )?futuro|(?:para )?la próxima(?: vez)?|cada vez|lección aprendida|regla|recuerda(?: esto)?(?=:)|en adelante|(?<!como )siempre|(?:solo|sólo|únicamente) con
    never: nunca|jamás|en ningún caso|bajo ninguna circunstancia
    not: en vez de|en lugar de|(?:y )?no(?: en| con)?(?= ¤)|no|nada de|evita|deja de|sin usar|no hace falta
    without: sin(?: antes)?(?: haber)?
    before: y (?:solo|sólo) (?:entonces|después)|antes (?:de(?:l)?(?: cada| hacer| que)?|que)
    when: (?:cada vez|siempre) que|(?:si|cuando)(?= (?:cambi|modifi|edit|toc|toques|agreg|añad))|al(?= (?:cambiar|modificar|editar|actualizar|tocar|agregar|añadir))|después de(?:l)?(?: cada)?|cuando|tras|junto con|cada(?= ¤)
    must: debes?|deben|necesitas?|tenemos que|tiene(?:n)? que|hace falta
    change: actuali(?:za|zar|ces|zaste|zado)|cambi(?:a|ar|es|as|aste)|modific(?:a|ar|as|aste)|modifiques|edit(?:a|ar|es|as|aste)|toc(?:a|ar|as)|toques|sub(?:e|ir|iste)|añad(?:e|ir|as)|agreg(?:a|ar|ues)|sincroniza(?:r)?|regenera(?:r)?
    want: us(?:a|ar|es|e|en)|utili(?:za|zar|ces|ce)|prefiere|ejecut(?:a|ar|es|e)|corr(?:e|er|as)|lanza(?:r)?|haz|hagas|hacer|pasa(?:r)?|sino
    small: aquí|acá|en este (?:repo|repositorio|proyecto)|es un proyecto(?: de)?|a mano|manualmente|directamente|porque|si no|ya que|para que|pues|con|pero|así que|luego|tú|de|lo|la|los|ya|el|las|un|una|unos|del|al|en|y|o|ok|vale|gracias|sí|oye|otra vez|como siempre|primero|solo|sólo|que|es|está|son|se|te|me|archivo|archivos|carpeta|para|por|nuevo|nueva|bien|ahora|antes|cualquier|también|además|a la vez
  `),
  portuguese: toRows(String.raw`
    void: talvez|ainda não|não (?:\S+ )?ainda|exceto|podemos|poderíamos|devemos|será que|acho que|quero|gostaria|vou|por enquanto|dess?ta vez|por ora|hoje|e se|por que(?! você não)|como(?! sempre)|(?:ness?te|ness?ta) (?:pr|commit|branch|tarefa|caso)|(?:isso|ele|ela|o script|eu) (?:\S+ )?(?:sempre|nunca)|(?:sempre|nunca) (?:falha|funciona)
    blame: (?:você |vc |cê )?(?:se )?(?:esqueceu|esqueceste|pulou|deixou)(?: de novo| também)?(?: d[eoa])?|(?:você|vc) não(?= (?:atualizou|rodou|executou|mudou|alterou|gerou))|(?:você|vc) deveria ter|faltou(?= (?:\S+ )?(?:¤|atualizar|rodar|mudar))|por que (?:você|vc) não(?= (?:atualizou|rodou))|não foi(?= (?:atualizad[oa]|alterad[oa]))|(?:está|ficou|continua) (?:desatualizad[oa]|com a versão antiga)
    remind: não (?:se )?esque(?:ça|ce|ças)(?: de)?|lembr(?:e|a)(?:-se)?(?: de)?|(?:você |vc )?(?:precisa|tem que|têm que)(?: também)?|garanta que
    firm: (?:aqui )?(?:usamos|a gente (?:usa|não usa)|utilizamos|se usa)|de agora em diante|a partir de (?:agora|hoje)|daqui (?:para|pra|em) (?:a )?(?:frente|diante)|no futuro|[dn]a próxima(?: vez)?|toda vez|todas as vezes|cada vez|lição aprendida|regra|(?<!como )sempre|(?:só|somente|apenas) com
    never: nunca(?: mais)?|jamais|em hipótese alguma|de jeito nenhum
    not: em vez de|ao invés de|no lugar de|(?:e )?não(?: em| com| no| na)?(?= ¤)|não|nada de|evite|par[ea] de
    without: sem(?: antes)?
    before: e só (?:então|depois)|antes (?:de|do|da)(?: cada| fazer| dar)?|antes que
    when: (?:sempre|toda vez|cada vez) que(?: você| vc)?|(?:se|quando) (?:você |vc )?(?=mud|alter|edit|mex|adicion)|quando você|ao(?= (?:mudar|alterar|editar|atualizar|mexer))|depois (?:de|do|da)(?: cada)?|após|quando|junto com|cada(?= ¤)
    must: precisamos|deve(?:m)?|é preciso
    change: atuali(?:ze|zar|za|zou|zado|zada)|mud(?:e|ar|a|ou)|alter(?:e|ar|a|ou|ado|ada)|edit(?:e|ar|a|ou)|mex(?:a|er|e)(?: em| no| na)?|modifi(?:que|car|ca)|adicion(?:e|ar|a)|sincroni(?:ze|zar)|suba
    want: us(?:e|a|ar|es)|utiliz(?:e|a|ar)|prefira|rod(?:e|a|ar)|execut(?:e|a|ar)|faça(?:s)?|fazer|chame|passe|e sim
    small: aqui|nest[ea] (?:repo|repositório|projeto)|é um projeto|(?:à|a|na) mão|manualmente|diretamente|porque|senão|pois|já que|para que|com|mas|então|você|vc|de|tu|o|a|os|as|um|uma|do|da|no|na|nos|nas|em|e|ou|ok|obrigad[oa]|sim|de novo|como sempre|primeiro|só|que|é|está|são|foi|se|arquivo|arquivos|pasta|para|pra|por|novo|nova|agora|antes|qualquer|isso|beleza|opa|pode|também|junto|ao mesmo tempo
  `),
  italian: toRows(String.raw`
    void: forse|non (?:\S+ )?ancora|ancora non|tranne|possiamo|potremmo|dovremmo|penso che|credo|voglio|vorrei|per ora|per adesso|questa volta|stavolta|oggi|e se|perché(?! non hai)|come mai|puoi spiegar|(?:in|per) quest[oa] (?:pr|commit|branch|caso)
    blame: (?:ti )?(?:sei|hai) (?:di nuovo |ancora |anche )?(?:dimenticat[oa]|scordat[oa]|saltat[oa])(?: di)?|non hai(?= (?:aggiornato|eseguito|modificato|lanciato|rigenerato))|avresti dovuto|manca(?:no)?(?: di nuovo| ancora)?(?= ¤)|non è stat[oa](?= (?:aggiornat|modificat))
    remind: non (?:ti )?dimenticare(?: di)?|ricorda(?:ti)?(?: di)?|devi|bisogna|assicurati di
    firm: (?:qui )?(?:usiamo|utilizziamo|si usa(?: solo)?)|d'ora in (?:poi|avanti)|da ora in (?:poi|avanti)|in futuro|la prossima volta|ogni volta|regola|lezione imparata|(?<!come )sempre|solo con
    never: mai(?: più)?|in nessun caso
    not: invece di|al posto di|anziché|(?:e )?non(?: in| con)?(?= ¤)|non|niente|evita(?: di)?|smetti di|smettila di|basta(?= (?:usare|con))
    without: senza(?: prima)?(?: aver)?
    before: prima (?:di|del|della|che)(?: ogni| fare)?|e solo dopo
    when: ogni volta che|(?:se|quando)(?= (?:modific|cambi|tocc|aggiorn|aggiung))|dopo (?:aver|ogni|il|la|un|una|che)?|quando|appena|insieme a|ogni(?= ¤)
    must: deve|devono|dobbiamo|serve|va(?:nno)?(?= (?:sempre|anche|aggiornat|modificat|lanciat|eseguit))
    change: aggiorna(?:re|to|ta|ti)?|modific(?:a|are|hi|ato|ata)|cambi(?:a|are|ato)?|tocc(?:a|are|hi|ato)|aggiung(?:i|ere)|sincronizza(?:re)?|rigenera(?:re)?
    want: usa(?:re|te)?|usi|utilizza(?:re)?|preferisci|esegui(?:re)?|eseguito|lancia(?:re|to)?|fai|fare|passa(?:re)?|bensì
    small: qui|in questo (?:repo|progetto)|è un progetto|da noi|a mano|manualmente|direttamente|perché|altrimenti|sennò|dato che|così che|con|ma|quindi|poi|tu|di|il|lo|la|i|gli|le|l'|un|una|uno|nel|nella|in|e|o|ok|grazie|sì|no|di nuovo|come sempre|prima|solo|che|è|sono|essere|file|cartella|per|nuov[oaie]|allora|ciao|scusa|aspetta|anche|pure|inoltre
  `),
  dutch: toRows(String.raw`
    void: misschien|behalve|zullen we|kunnen we|zouden we|ik (?:denk|wil|zal|ga|heb)|laten we|voorlopig|deze keer|voor nu|vandaag|waarom(?! heb)|kun je (?:uitleggen|zeggen)|nog niet|(?:in|voor) deze (?:pr|commit|branch|taak)
    blame: je (?:bent|hebt)(?: \S+){0,6} (?:vergeten|overgeslagen|gemist|niet (?:bijgewerkt|aangepast|gedraaid))|vergeten(?: om)?|je had|waarom heb je(?: \S+){1,5} niet|(?:is|zijn|was|werd) (?:nog )?(?:niet (?:bijgewerkt|aangepast)|verouderd)|ontbreekt (?:weer|nog)|staat nog (?:op|de oude)
    remind: vergeet (?:\S+ )?niet|niet vergeten|denk (?:eraan|aan)|je moet|zorg dat
    firm: w(?:e|ij) gebruiken|vanaf nu|voortaan|in de toekomst|in het vervolg|(?:de )?volgende keer|elke keer|les geleerd|regel|(?<!zoals )altijd|steeds|alleen (?:met|via)
    never: nooit(?: meer)?|in geen geval|onder geen beding
    not: in plaats van|(?:en )?niet(?: in| met)?(?= ¤)|niet|geen|vermijd|stop met|blijf af van
    without: zonder(?: eerst)?
    before: en dan pas|voordat(?: je| we)*|voor(?: je| elke| de| het| een)*
    when: (?:elke keer )?(?:als|dat|wanneer|zodra) (?:je|we)|nadat(?: je)?|na(?: elke| de| het| een)*|wanneer|als|zodra|samen met|elke?(?= ¤)
    not-behind: (?:is|zijn) verboden|niet (?:meer )?(?:gebruiken|aanpassen|wijzigen|aanraken)
    must: moet(?:en)?|hoort|dient
    change: bij(?: te )?werken|bijgewerkt|werk|aan(?: te )?pas(?:sen|t)|pas|aangepast|wijzig(?:en|t)?|gewijzigd|bewerk(?:en|t)?|verander(?:en|t)?|raak|aanraken|voeg|toe(?: te )?voegen
    want: gebruik(?:en|t)?|neem|pak|draai(?:en|t)?|voer|uit(?: te )?voeren|uitgevoerd|runnen|doe|doen|laat
    small: hier|in deze repo|in dit project|(?:dit|het) is een|bij ons|met de hand|handmatig|rechtstreeks|direct|omdat|anders|want|zodat|met|maar|dus|dan|je|jij|we|te|gewoon|even|het|dat|die|deze|de|een|in|op|aan|van|en|of|ok|oké|bedankt|dank|nee|ja|weer|eerst|alleen|is|zijn|wordt|worden|bestand|bestanden|map|hm+|nieuwe?|nu|nog|om|er|daar|hé|ho|ook|eveneens|tegelijk|mee
  `),
  russian: toRows(`
    void: может быть|возможно|кроме|давай(?:те)?|пока|ещё не|в этот раз|сегодня|почему(?! ты не)|как насч[её]т|стоит ли|я (?:думаю|хочу|забыл)|не надо ли
    blame: ты (?:опять |снова |ещё )?(?:забыл[аи]?|пропустил[аи]?)|забыл[аи]?|ты не(?= (?:обновил|запустил|изменил))|почему ты не|не обновл[её]н[аоы]?
    remind: не забудь(?:те)?|не забывай(?:те)?
    firm: (?:здесь |тут )?мы используем|с этого момента|отныне|впредь|в будущем|в следующий раз|каждый раз|правило|на будущее|запомни|всегда|обязательно|только (?:с|через)
    never: никогда(?: больше)?(?: не)?|ни в коем случае(?: не)?
    not: вместо|(?:а )?не(?= ¤)|не|нельзя|избегай|перестань|хватит
    without: без|пока не
    before: и только потом|перед(?: кажд(?:ым|ой))?(?: тем,? как)?|прежде чем|до(?= ¤)
    when: (?:когда|каждый раз,? когда|если)(?: ты)?(?= (?:меня|измен|прав|обновл))|при изменении|после(?: того,? как| каждого| изменения)*|когда|вместе с
    must: нужно|надо|долж(?:ен|на|ны)|следует|необходимо
    change: обнов(?:и|ить|ляй|лять)|меня(?:й|ть|ешь)|измен(?:и|ить|яй|ять|яешь)|прав(?:ь|ить|ишь)|трога(?:й|ть)|редактир(?:уй|овать)|добав(?:ь|ить|ляй|лять)
    want: использ(?:уй|уйте|овать|уем)|пользуйся|бери|запус(?:ти|кай|кать|тить|кайте)|выполн(?:и|яй|ять|ить)|делай|делать
    small: здесь|тут|в этом (?:репозитории|проекте)|у нас|вручную|руками|напрямую|потому что|иначе|так как|чтобы|но|поэтому|затем|ты|мы|просто|это|его|и|в|на|из|или|с|ок|спасибо|нет|да|опять|снова|сначала|только|файл(?:ы|ов|а)?|папк[аиуе]|что|так|же|новы[ей]|тоже|также|ещё и
  `),
  /** Chinese, Japanese and Korean, whose words nothing parts. */
  eastAsian: toRows(`
    void: 也许|除了|可能|要不要|是不是|能不能|可以吗|吗|我想|我觉得|暂时|这次|先别|目前|为什么(?!没)|怎么|还不要|先不要|如何|(?:它|他|她|脚本)(?:总是|一直|从不)|(?:这个|该)(?:接口|函数|方法|按钮|页面)|まだ|かもしれ|以外|でしょうか|ですか|ましょうか|と思い|とりあえず|今回(?:だけ|は)|なぜ|どうして|どうやって|아마|아직|제외|할까요|인가요|나요|일단|이번(?:만|에는)|왜(?! 안)|어떻게
    blame: 你(?:又|还|再次)?(?:忘记|忘了|漏了|遗漏|没有?(?=更新|运行|修改|同步|执行))(?:了)?|又忘了|又漏了|为什么没(?:有)?(?=更新|运行)|(?:没有|没|未)(?:被)?(?:更新|同步|修改)|还是旧(?:的|版)|(?:を|の更新を|も|の)?(?:忘れて(?:います|いる|ます|る|いました|た)|忘れました|更新(?:し忘れ|されていません|していません|してない)|実行し忘れ)|が(?:更新されて(?:いない|いません)|古い(?:まま)?)|(?:을|를|도)? ?(?:빠뜨렸|빼먹었|잊었|까먹었|누락했)(?:어요|네요|습니다|다|어)?|업데이트(?:를)? 안 (?:했|하셨)|(?:이|가) ?업데이트되지 않
    remind: 别忘(?:了|记)?|不要忘(?:了|记)|记得|(?:を|も|の更新を)?忘れない(?:で|よう)|忘れずに|必要があります|ようにして|잊지 마(?:세요)?|까먹지 마(?:세요)?
    before: 再(?= *¤)|然后再
    when: 当(?:你)?|如果(?:你)?|只要|每当|每次|改(?:了|完)(?= ¤)
    firm: 我们(?:这里)?(?:只|都|一直)?(?:用|使用)|(?:这个|本)(?:项目|仓库)(?:里|中)?(?:只)?用?|(?<=^|[，。,.!！ ])以后|今后|从现在(?:开始|起)|从今(?:以后|往后)|下次|下一次|教训|规则|记住|牢记|一律|务必|总是|始终|一定要|必须|永远要|都要|每次|この(?:プロジェクト|リポジトリ)(?:では)?|うちは|ここでは|今後(?:は)?|これから(?:は)?|次回(?:は|から)?|次から(?:は)?|毎回|ルール|教訓|覚えておいて|必ず|常に|いつも|(?:이|우리) (?:프로젝트|저장소|레포)(?:에서는|는)?|여기서는|우리는|앞으로(?:는)?|이제부터(?:는)?|다음(?:부터|번)(?:는|에는|엔)?|매번|규칙|기억해|항상|반드시|꼭|늘
    never: 永远不要|千万不要|绝不(?:要|能|可以)?|切勿|千万别|绝对不(?:要|能)|再也不要|不允许|禁止|絶対に|決して|二度と|절대(?:로)?|금지
    not: 而不是|代替|不要(?:再)?(?:用)?|别(?:再)?(?:用)?|不是|不用|不能|避免|不(?:应该|应|该)
    without: 没有?(?:先)?(?=运行|执行)
    before-behind: (?:之前|以前|前)|(?:の|する|をする|を実行する)?前に(?:は)?|(?:을|를)? ?(?:하기|실행하기|커밋하기|푸시하기)? ?전에(?:는)?
    when-behind: (?:被)?(?:改(?:了|完|动)?|变(?:了|动)|修改|更新|变更)(?:了|完)?(?:之后|以后|后|的话|时)|[をが](?:変更|編集|更新|修正)(?:したら|した後|した場合|された場合|する時|するとき|すると|されたら)(?:は)?|[をが]変(?:えたら|わったら|更時)(?:は)?|(?:을|를|이|가) ?(?:변경|수정|업데이트|편집)(?:하면|한 후에?|할 때(?:마다)?|되면)|(?:을|를|이|가) ?(?:바꾸면|바뀌면|고치면)
    not-behind: (?:ではなく|じゃなくて?|の代わりに|[はを]?(?:直接)?(?:絶対に直接)?(?:使わない|使用しない|使うな|禁止|編集しない|変更しない|触らない|実行しない)|は絶対に直接編集しない|しない(?:で|こと))|말고|대신|이 아니라|가 아니라|(?:은|는|을|를)? ?(?:쓰지|사용하지|수정하지|편집하지|건드리지|실행하지|하지) (?:마세요|마|말고|말아)
    must: 需要|要|得|应该|べき|なければ(?:なりません|ならない)|必要
    change: 更新|修改|改(?:了|完|动)?|编辑|同步|升级|提升|动|碰|添加|を(?:更新|変更|編集|修正|追加)|に追加|更新し|(?:을|를|도)? ?(?:업데이트|수정|변경|추가)(?:하세요|해)?
    want: 使用|要用|请用|改用|用|运行|执行|跑(?:一下|一遍)?|调用|加上|带上|先(?= *¤)|を使(?:って|う|います)|使用し|使い|を実行|を走らせ|実行し|を付け|(?:을|를)? ?(?:쓰세요|써|사용하세요|사용해|쓰는|실행|돌려|돌리)(?:하세요|해|세요)?
    sync: 一起|同步更新|保持一致|同期|一致させ
    made: (?:自动)?生成的?|自動生成|生成され|자동 ?생성
    small: 手动|手工|直接|因为|否则|不然|而是|但(?:是)?|所以|请|你|我们|麻烦|了|的|在|先|好的?|谢谢|和|或|里|中|这个|一下|对|被|把|都|它|也|同时|还要|还需要|手動で|手で|直接|なぜなら|さもないと|そうしないと|代わりに|でも|ください|お願い|は|を|に|の|と|が|で|や|先に|まず|して|も|一緒に|同時に|수동으로|직접|손으로|왜냐하면|안 그러면|그렇지 않으면|주세요|제발|부탁|을|를|은|는|이|가|에|로|으로|먼저|네|아니요?|그리고|파일|폴더|도|함께|같이
  `),
};

function toRows(text: string): Language {
  return Object.fromEntries([...text.matchAll(/^ *([\w-]+): (.+)$/gm), ['', 'ask', PLEASE]].map(([, ...row]) => row));
}
