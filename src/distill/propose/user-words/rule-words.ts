/**
 * The words by which people state a rule, name an omission or ask for something once, by language. A row is data:
 * alternatives of a regular expression, matched without regard to case, with `'` for every apostrophe and `¤` for a file, a
 * command or an option that the sentence names. The words of one language are read in a sentence: of the one that has most
 * of them. Where two rows fit one place, the longer words count, then the role that stands first here.
 */

export const ROLES = [
  /** A question, a doubt, a plan, a task, or a word about this moment only: the sentence states no rule. */
  'open',
  /** Tells what the agent did. */
  'did',
  /** Tells the agent that it left something out. */
  'blame',
  /** The same, from a clause about the thing itself: `x.json wasn't updated`. */
  'stale',
  /** Reminds of something; on its own also a word of tasks. */
  'remind',
  /** Says that a sentence holds for good. */
  'standing',
  /** Says for good what to do, and what not to do. */
  'always',
  'never',
  /** How this project does it. */
  'ours',
  /** Several files change together. */
  'sync',
  /** Nobody edits this file: it is generated, frozen, or edited otherwise. */
  'hands-off',
  /** What follows is unwanted; in its place stands what came before. */
  'instead-of',
  /** The reason of a rule; the clause says nothing about what to do. */
  'reason',
  /** What follows is needed first. */
  'without',
  /** What follows is the moment before which, or after which, something has to be done. */
  'before',
  /** The same as `after`, said of whenever the agent does it: `if you change`. */
  'case',
  'after',
  /** The same, behind the thing that they are about. */
  'before-behind',
  'after-behind',
  'not-behind',
  /** Behind a thing: it is what may be done in the place of another. */
  'allowed-behind',
  'not',
  'must',
  /** Verbs: the things beside them are to be used, run, changed, kept in a folder. */
  'put',
  'use',
  'run',
  'change',
  'also',
  /** A thing that was named before. */
  'pronoun',
  /** What follows is wanted again, or a new clause. */
  'but',
  /** Words that ask: the next word is what to do. */
  'ask',
  /** Words before and between the others, that say nothing about who acts or on what. */
  'filler',
] as const;
export type Role = (typeof ROLES)[number];

export type Language = Readonly<Partial<Record<Role, string>>>;

const CHANGED =
  'updat|bump|edit|chang|modif|touch|regenerat|sync|adjust|add|refresh|increment|extend|register|alter|renam|rebuil|overwrit|delet|remov|includ|mirror|commit';
const TASK = String.raw`^\W*(?:(?:please|can you|could you|now|then|and|also|next|ok|so),? )*(?:write|create|implement|build|set up|configure|introduce|develop|make|generate|give|document|mention|translate|summari[sz]e|explain|extract) (?!sure|it a|a habit)(?:a|an|the|some|me|in|another|new|this|that)\b|^\W*(?:in|inside) (?:the )?¤+,|(?:which|that) (?:says?|reads?)`;
const DOUBT =
  'maybe|perhaps|except(?!ion)|(?:apart|aside) from|other than|(?:anything|nothing) but|i (?:think(?! you)|guess|wonder|believe)|not sure|might|(?:can|could|shall|should|do|would|are|did) we|(?:how|what) (?:about|if|does)|how (?:do|does|can|should)|where (?:is|are|do|does|did)|whether|you (?:can|could|may)|if (?:possible|needed|you (?:need|want|like))|not only';
const MOMENT = String.raw`let me|let'?s|i(?:'?ll| will)|i want(?! (?:you )?to see| you to| ¤)|i'?d (?:like(?! you)|rather|prefer)|for (?:now|the moment)|this (?:time|once)|today|yet|until (?:then|i|we)|(?:in|for) this (?:case|commit|pr|task|change|branch|file)|once\W*$`;
const PRAISE =
  "no need|(?:don'?t|never) ?(?:worry|mind|bother)|no (?:problem|rush|worries|luck)|not bad|(?:great|nice|glad|love|good) (?:that|how|call|work|job)|(?:never|always) (?:seen|had|been|heard|worked|happen(?:s|ed))";

export const LANGUAGES = {
  english: toRows(String.raw`
    open: ${TASK}|${DOUBT}|${MOMENT}|${PRAISE}
    did: you (?:keep|kept|always)(?= ¤)|you(?:'ve| have)?(?: just| also| again)? (?:used|ran|called|did|edited|changed|bumped|committed|pushed|touched|wrote|put|created|updated|renamed|added|released|published|merged|finished)
    blame: you(?:'ve| have)?(?: \w+)? (?:forgot(?:ten)?|missed|skipped|omitted|overlooked|neglected|left (?:out|behind))(?: to| about)?|you (?:always|keep|kept) (?:forget(?:ting)?|skip(?:ping)?|miss(?:ing)?)(?: to)?|(?:did|have) you forg[eo]t(?:ten)?(?: to| about)?|why (?:didn'?t|haven'?t) you(?: also)?|you(?:'ve| have)? (?:still )?(?:didn'?t|did not|haven'?t|have not|never)(?: also| even| actually)*(?= (?:${CHANGED}|r[ua]n)\w*)|you (?:should|were supposed to) have(?: also)?|you were (?:also )?supposed to|you should'?ve(?: also)?|^\W*(?:(?:and|but|oh|hey|again|ah|no|hm+),? )*forgot(?:ten)?(?: to)?|(?<!\bi\b.{0,60})(?:but|and) (?:you )?forgot(?: to| about)?|(?<=\byou\b.{1,80})(?:but|and)(?: again| still)? (?:didn'?t|did not|never|not)(?= (?:(?:${CHANGED}|run)\w*|¤))|you left (?=¤)|(?:again|still) no(?= ¤)|you only (?:did|changed|updated) one(?: of them)?|you only(?= (?:(?:${CHANGED})\w*))
    stale: (?:was|were|is|are|has|have)(?:n'?t| not| still not)(?: been)? (?:run|(?:${CHANGED})\w*(?:ed|t)|rebuilt)|still (?:has|have|says?|shows?|lists?|on|at) (?:all )?(?:the )?(?:old|previous|wrong|last) (?:versions?|numbers?|values?|names?)|still (?:has|have|says?|shows?|lists?|reads?) v?\d+\.\d[\w.-]*|(?:is|are) still the old (?:ones?|versions?)|(?:is|are) still (?:at |on )?v?\d+(?:\.\d+)+|(?:is|are|was|were|stayed) (?:still )?unchanged|(?<=¤ )(?:is|are|was|were)(?:n'?t| not) (?:in|part of) (?:the|that|this|your)(?: last)?(?= ¤)|(?<=¤ (?:\w+ ){0,2})not (?:updated|bumped|changed|regenerated|run)|(?<=\bnew (?:\S+ ){1,4})(?:(?:is|are|was|were)(?:n'?t| not)(?: even| yet)? (?:(?:listed|mentioned|documented|included|registered) )?in|(?:is|are) (?:still |again )?missing (?:in|from))(?= (?:the )?¤)|(?<=¤ )(?:is|are) (?:missing|left out) (?:yet )?again(?! in)|(?:is|are) (?:now |still |again )?(?:out of sync|missing from the commit)|(?:should|must) (?:also )?have been(?= (?:${CHANGED}))|(?:was|were|got|is|are) (?:again )?(?:left (?:out|behind)|forgotten|missed|skipped|not updated)
    remind: i (?:already |just |clearly )?told you(?: to)?|(?:don'?t|do not|never) (?:you )?forget(?: (?:to|about|that|the))?|remember (?:to|about)|remember(?! that|,|:)(?= (?:the )?¤)|as i said
    standing: from (?:now|here|this point) on(?:wards?)?|from today(?: on)?|going forward|moving forward|in (?:the )?future|for (?:the )?future(?: reference)?(?= ?[:,.!]|\W*$)|(?:for )?(?:the )?next (?:time|ones?)|lessons? learn(?:ed|t)(?: from [\w ]+)?|(?:as a|new|general|house|project|team|repo|one|hard|standing|important|simple) (?:general )?rule|rule of thumb|rule (?:number |no\.? ?|#)?(?:one|two|three|\d)|rule here|rule(?=:| is)|under any circumstances|ever again|for good|reminder for (?:later|the future)|every ?(?:single )?time(?! (?:you|we|i))|each time(?! (?:you|we|i))|(?:each|every)(?: and every)?(?: single)?(?= ¤)|keep in mind|bear in mind|note (?:to self|for later)|for the record|(?:our|the|by|as a) (?:policy|convention|habit)(?: is)?|once and for all|(?:please )?remember(?: (?:this|that|it))?(?=[:,.!]|\W*$| for| that you)|keep to (?:that|this|it)|i keep (?:telling|saying|asking)(?: you)?|how (?:often|many times)|(?:the )?(?:second|third|fourth|fifth|nth|\d+(?:nd|rd|th)) time|stick to (?:that|this)|(?:that|this|it|same) (?:goes|holds|applies|counts) for|(?:that'?s|this is|it'?s) (?:mandatory|required|the rule)|(?<=(?:don'?t|do not|no|not|stop)\b.{1,80})\bever(?=\W*$)|no exceptions|any change|without (?:asking|(?:my|our) (?:ok|okay|permission|approval|consent|go))|(?:in general|generally)|in (?:that|this) order|not (?:the other way a?round|vice versa)|i expect|anymore|any more
    always: always|allways|alwyas|(?:must|should|have to|need to) always|make it a habit to|make a habit of|without exception|only (?:ever )?(?:with|via|through|use)
    never: never(?: ever)?|(?:don'?t|do not|dont) (?:you )?ever|under no circumstances(?: should you)?|no more(?= ¤)|(?:keep |take )?(?:your )?(?:hands|fingers|paws) off(?: of)?|stay (?:out of|away from|off)|(?:i )?(?:don'?t|do not|never) (?:ever )?want to see(?: you)?(?: \w+ing)?(?= ¤.{0,60}\b(?:again|ever)\b)|(?:is|are) (?:strictly )?(?:off the table|an? (?:absolute )?no-?go|taboo|not ok(?:ay)?|not acceptable|not an option|forbidden|banned|not allowed|prohibited|frozen|off[- ]limits|read[- ]?only|deprecated)
    ours: we (?:only |always |all |just )?(?:use|run|prefer|work with)|we(?:'ve|'re| are| have)? (?:only )?(?:using|on|have|got|(?:switched|moved|migrated|gone|went) (?:over )?to)(?= ¤)|it (?:has to|must|should) be(?= ¤)|(?:this|the|our) (?:repo|repository|project|codebase|team|package|monorepo) (?:only )?(?:uses|runs|is on)|(?:it'?s|its|this is|that'?s|we'?re) an?(?= ¤+ (?:repo|project|monorepo|shop|codebase|workspace))|(?:in|for) (?:this|our) (?:repo|repository|project|codebase|monorepo|workspace)|(?<=¤.{0,20})(?:is )?(?:here|in this (?:repo|project))(?=\W|$)|around here|over here|package manager(?: here)? is|(?:here )?it'?s(?= ¤)
    sync: (?:in|out of) (?:sync|step|lockstep)|(?:the )?same version|match(?=\W*$|(?: \S+){0,3} ¤)|(?:be|stay|remain|keep) (?:the same|identical|equal)|(?:a \w+ )?twins?|shares? (?:one|the same|a) |the other(?= moves| too| as well|\W*$)|one,? (?:change|update|edit) the other|to the other|both(?= (?:need|have|pin|list|contain|must))|go(?:es)? (?:hand in hand|together)|belong together|aligned|together|every(?: \w+){1,2} (?:that.?s |that is |that |which )?(?:in |from |of )?(?=(?:the )?¤)|=|(?:every|each|any) ¤+ (?:also |always )?(?:needs?|requires?|must have|has to have|should have|comes with) (?:its|an?|the|their)(?: own| matching| corresponding)?(?= ¤)|(?:every|each|any|a) (?:\w+ )?change (?:in|of|to) ¤+ (?:also |always )?(?:needs?|requires?|means)|bumping ¤+ means
    hands-off: by hand|manually|hand-?edit(?:ed|ing)?|(?:is|are|it'?s|they'?re|gets?) (?:all )?(?:auto-?)?(?:generated|created)(?: (?:from|by|with|out of))?|(?:is|are) (?:written|produced|managed|maintained|built|emitted|owned|handled) by|comes? (?:straight )?(?:from|out of)|yourself|(?<=(?:touch|edit|change|modify)\b.{1,40})directly
    instead-of: instead of|in place of|rather than|over(?= ¤)|(?:and |but )?not(?: (?:plain|bare|raw|the|with|via|in|loose in|directly in|inside|under|just))*(?= ¤)|no longer(?= ¤)
    reason: because|since|otherwise|or else|so that|as it|as they|cause|cuz|the reason|that'?s why|which|who|if not|it overwrites|overwrites
    without: without(?: first)?|unless|until|(?:only|not) (?:after|once|if|when|before|until)(?: you| the)*|only when
    before: (?:and )?only then|before(?: you| any| each| every| we| opening| making| doing| even| a| the)*|prior to|ahead of|(?:and |only )?then(?= (?:the |you |do )?¤)
    case: whenever(?! i\b)|(?:when(?:ever)?|if|once|every time|each time)(?= (?:the )?¤+ (?:changes?|gets|is (?:changed|edited|updated|touched|bumped)|has changed))|(?:every|each|any) ?(?:single )?time (?:you|we)|(?:when(?:ever)?|if|once|as soon as|after|while) (?:you|we)(?! (?:are|have|need|want|see|feel|think|like)\b)
    after: after(?: any| each| every| touching| changing| editing| a| an| the)*|any ?time(?! i)|when(?! i\b)|as soon as|alongside|together with|along with
    not-behind: (?:is|are|'s) (?:dead|gone|deprecated|obsolete|legacy|history|outdated|not (?:a thing|installed|available|supported|used))(?: here)?|(?:directly )?(?:doesn'?t|does not|won'?t) (?:work|exist|count)(?: here)?
    allowed-behind: only(?=\W*$)|at (?:most|best)|if (?:at all|anything|you must)|(?:is|are) (?:fine|ok|okay|allowed|enough)
    not: don'?t|do not|didn'?t ask you to|stop|avoid|quit|refrain from|leave (?:out|off|away)|drop the|skip the|shouldn'?t|should not|mustn'?t|must not|can'?t|cannot|(?:tests? |files? |\w+ )?(?:don'?t|do not|doesn'?t|does not)(?= (?:live|belong|go))|no(?: direct| manual| plain)?(?= ¤)|not|no longer|(?:is|are) wrong|isn'?t|aren'?t
    must: make sure(?: to| that)?(?= (?:you|to|also|we|always|never) )(?: to)?|make sure to|be sure to|ensure(?: that)?(?= you)|(?:you|we|it|they|that|this)?(?:'ll| will)? ?(?:must|have to|has to|need to|needs to|should|ought to|gotta|got to|are supposed to)|needs?(?: to| an?)?|has to|requires?|means
    put: (?:should |must |have to )?(?:go|goes|belongs?|lives?|put|place|placed|stored?|saved?|kept|keep|written|created?)(?: (?:them|it|those|that|files|everything|new \w+|cleaned \w+|copies|all \w+))?(?= (?:\w+ )?(?:in|into|to|under|inside|below)\b)
    use: us(?:e|ing)|prefer|stick (?:to|with)|go with|switch to|work with|go through|via|reach for
    run: run|running|re-?run|execut(?:e|ed|ing)|call(?:ing)?|invok(?:e|ing)|pass(?:ing)?|launch|start|with|try|apply|type|give|prefix
    change: updat(?:e|ed|es|ing)|bump(?:ed|s|ing)?|edit(?:ed|s|ing)?|chang(?:e|ed|es|ing)|modif(?:y|ied|ying)|touch(?:ed|ing)?|regenerat(?:e|ed|ing)|sync(?:ed|ing|hroni[sz]e)?|adjust(?:ed|ing)?|add(?:ed|ing)?|refresh(?:ing)?|increment(?:ing)?|extend(?:ed|ing)?|register(?:ed|ing)?|writ(?:e|ing)(?: to)?|alter(?:ing)?|rename[sd]?|renaming|rebuild(?:ing)?|overwrit(?:e|ing)|delet(?:e|ing)|remov(?:e|ing)|includ(?:e|ing)|mirror(?:ing)?|get(?= (?:every|the same|an?))
    also: also|too|both|as well|at the same time|accordingly|in addition
    pronoun: it|that|them|this|those|these|that file|this file|those two|these two|(?:\w+ )?in there
    but: but|however|instead(?! of)|so|then
    ask: do|please|pls|plz|plx|i want to see|i(?: want|.d like| would like| need| expect) you to|kindly|just|could you|can you|would you|will you|to|you|we|simply|remember|you can
    filler: before we (?:start|begin|continue)|first of all|i(?:'ve)? (?:already )?(?:said|mentioned)(?: it| that| this| so)*(?: before| already)?|the|a|an|any|anything|everything|all|some|our|your|my|its|their|in|into|to|of|on|for|from|under|inside|be|been|is|are|was|were|get|gets|got|has|have|and|or|nor|ok|okay|hey|hi|hm+|ah|oh|uh|um|well|now|no|nope|nono|nah|wrong|sorry|thanks|thx|btw|note|again|really|actually|seriously|still|first|only|ever|here|there|everywhere|once more|one (?:more )?thing(?: though)?|though|nice|good|great|cool|important|explicit|explicitly|plain|bare|raw|own|new|same|command|flag|option|file|files|folder|directory|script|dir|even|right|alright|yes|yeah|fyi|until now|it'?s|its|that'?s|there'?s|by|at|with|anyone|at all|directly|me|us|did you|as
  `),
  german: toRows(String.raw`
    open: vielleicht|außer|sollen wir|sollten wir|können wir|könnten wir|was wäre|ich (?:glaube|denke|möchte|will|werde)|lass uns|erstmal|vorerst|diesmal|fürs erste|kannst du|warum(?! hast)|wieso(?! hast)|vergiss es|noch nicht|schreib(?:e)? in|(?:er|sie|es|das|man|ci) (?!bitte)\S+ (?:immer|nie)
    blame: du hast (?:(?:es|wieder|schon|mal|leider|auch|noch) )*(?:vergessen|übersehen|ausgelassen)|du hast(?: \S+){1,6} (?:vergessen|übersehen|ausgelassen|nicht (?:aktualisiert|angepasst|geändert|ausgeführt|mitgezogen|erhöht))|(?:schon )?wieder vergessen|(?:^|\W)vergessen,? |warum hast du(?: \S+){1,5} nicht|(?<=¤ )hast du (?:\S+ ){0,3}(?:vergessen|übersehen|nicht (?:aktualisiert|angepasst|geändert|ausgeführt|mitgezogen|erhöht))|du hättest
    stale: (?:wurde|ist|sind|wurden) (?:noch )?(?:nicht (?:aktualisiert|angepasst|geändert)|veraltet)|(?:hat|steht|zeigt) noch (?:die|der|das|auf der) alte[nr]?|fehlt noch|fehl(?:t|en) (?:schon |mal )?wieder|(?<=\bneuen? (?:\S+ ){1,4})(?:steht|stehen|ist|sind|fehlt|fehlen) (?:noch )?(?:nicht )?in(?= (?:der )?¤)
    remind: vergiss (?:bitte )?nicht|nicht vergessen|denk(?:e)?(?: bitte)? (?:daran|dran)
    standing: ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|in zukunft|zukünftig|künftig|(?:fürs|beim) nächste[ns]? mal|nächstes mal|merk(?:e|t)? dir(?: das)?|als regel|grundsätzlich|generell|jedes ?mal(?! wenn)|gelernt:|regel|gilt (?:immer|für alle)
    always: (?<!wie )immer|stets|nur (?:mit|noch mit|per|über)
    never: nie(?:mals)?(?: wieder| mehr)?|auf keinen fall|unter keinen umständen|(?:ist|sind) verboten
    ours: wir (?:benutzen|verwenden|nutzen|nehmen|arbeiten mit)|wir (?:haben|sind auf)(?= ¤)|(?:hier|in diesem (?:repo|projekt))|das ist ein
    sync: jede[rs]? ¤+ braucht (?:auch )?(?:seine?n?|ihre?n?|eine?n?|die|das|den)(?: eigene[sn]?| passende[sn]?)?(?= ¤)|synchron|gleiche version|zusammen|gehören zusammen
    hands-off: (?:von|per) hand|manuell|händisch|direkt|(?:ist|sind|wird|werden) (?:auto)?(?:matisch )?generiert|eingefroren|schreibgeschützt
    instead-of: statt|anstatt|anstelle(?: von)?|(?:und )?nicht(?: mit| nach| in| unter)?(?= ¤)
    reason: weil|da sonst|sonst|denn|damit
    without: ohne(?: vorher| zuerst)?|bevor nicht|solange nicht
    before: und erst (?:dann|danach)|bevor(?: du| wir)*|vor(?: jedem| jeder| dem| einem| der| jedem)?
    case: (?:immer |jedes ?mal )?(?:wenn|falls|sobald) (?:du|wir|man)
    after: nachdem(?: du)?|nach(?: jeder| jedem| dem| der| einer| einem)?(?: änderung(?:en)?| anpassung)?(?: an| in| von)?|wenn|sobald|als du|(?:zusammen|gemeinsam) mit|bei (?:jeder|jedem|einer) (?:änderung|anpassung)(?: an| in| von)?
    allowed-behind: höchstens|allenfalls|wenn überhaupt|reicht
    not: nichts?|kein(?:e|en)?|vermeide|hör auf|lass(?: bitte)?(?= ¤.{0,20}weg)
    must: stell(?:e)?(?: bitte)? sicher|sorg(?:e)? dafür|achte darauf|(?:du )?muss(?:t)?(?: du)?|müssen|soll(?:st|en|te|ten)?|braucht
    put: (?:gehör(?:t|en)|komm(?:t|en)|leg(?:e|st)?|lieg(?:t|en))(?= (?:\S+ ){0,3}(?:in|nach|unter)\b)
    use: benutz(?:e|t|en)?|verwend(?:e|et|en)?|nimm|nutz(?:e|en)?|nehmen
    run: führ(?:e|en)?|aus(?:zu)?führ(?:en|t)|ausgeführt|lass|starte|ruf(?:e)?|laufen|machen|machst|mach|aufrufen|mit
    change: (?:zu )?aktualisier(?:e|en|t|st)|änder(?:e|n|st|t)|geändert|anpass(?:en|t)|pass|angepasst|(?:zu )?bearbeit(?:e|en|et)|editier(?:e|en|t)|erhöh(?:e|en|t|st)|fass|anfass(?:en)?|angefasst|mitziehen|ergänz(?:e|en|t)|mitändern|nachziehen|eintragen
    also: auch|ebenfalls|ebenso|mit(?=\W*$)
    pronoun: das|es|die|sie|beide|die beiden
    but: sondern|aber|stattdessen|und dann|also
    ask: bitte|du|wir|mal|zu|einfach|doch
    filler: der|den|dem|des|ein|eine|einen|einem|einer|in|im|an|am|auf|für|von|und|oder|ok|okay|danke|nein|ja|hey|hm+|so|noch|schon|wieder|erst|zuerst|vorher|hier|nur|dann|jetzt|dass|als|wird|werden|wurde|ist|sind|hat|hast|zum|zur|datei|dateien|an|lassen|bei|ab|direkt|weg|laufen lassen|überall|dafür|da|darin|dort
  `),
  french: toRows(String.raw`
    open: peut-être|sauf|est-ce qu|on pourrait|pourrait-on|je (?:pense|crois|veux|voudrais|vais)|et si|pour l'instant|cette fois|pour le moment|devrait-on|pourquoi(?! (?:tu n'as|n'as))|(?:ça|il|elle|ci|le script|je) \S+ (?:toujours|jamais)|ajoute[rz]? ceci
    blame: tu as (?:encore |aussi )?(?:oublié|omis|raté|sauté)(?: d[e'])?|t'as (?:encore )?oublié(?: d[e'])?|vous avez (?:encore )?oublié(?: d[e'])?|tu n'as pas(?= (?:mis à jour|lancé|exécuté|modifié))|tu aurais dû(?: aussi)?|pourquoi (?:tu n'as pas|n'as-tu pas)|il manque(?: encore)?
    stale: n'a pas été(?= mis|modifi)|n'est (?:toujours |encore )?(?:pas|plus) à jour|est (?:encore |toujours )?(?:obsolète|périmé(?:e)?)
    remind: n'oublie(?:z)? pas(?: d[e'])?|pense(?:z)? (?:bien )?à|rappelle-toi(?: d[e'])?
    standing: à partir de maintenant|dorénavant|désormais|à l'avenir|la prochaine fois|à chaque fois|chaque fois(?! que)|leçon (?:apprise|retenue)|règle|en règle générale|souviens-toi|retiens(?: bien)?(?: ça)?|pour toutes les fois
    always: (?<!(?:comme|est|sont) )toujours|systématiquement|uniquement avec|seulement avec
    never: (?:il |on )?(?:n[e'] ?\S+ )?jamais|n[e'] ?\S+ plus|en aucun cas|(?:est|sont) interdit(?:e|s|es)?
    ours: on (?:utilise|emploie)|nous utilisons|on (?:a|est passé à|est sur)(?= ¤)|(?:ici|dans ce (?:dépôt|repo|projet))(?:,? on)?|c'est un projet
    sync: chaque ¤+ (?:a besoin de|doit avoir) (?:son|sa|un|une)(?= ¤)|synchronisé(?:s|es)?|même version|vont ensemble|ensemble
    hands-off: (?:à la|a la) main|manuellement|directement|(?:est|sont) (?:auto-?)?généré(?:e|s|es)?(?: (?:à partir|depuis|par))?|en lecture seule|figé(?:e|s|es)?
    instead-of: plutôt que|au lieu d[e']|à la place d[e']|(?:et )?pas(?: dans| avec| sous)?(?= ¤)
    reason: sinon|parce qu[e']|car|puisque|pour que
    without: sans(?: avoir)?(?: d'abord)?|tant que
    before: et seulement (?:ensuite|après)|avant (?:d[e']|chaque|tout|le|la|que tu|un|une)?
    case: (?:quand|lorsque|si|dès que|(?:à )?chaque fois que) (?:tu|on|vous)
    after: après (?:avoir|chaque|le|la|un|une|que|toute modification de)?|à chaque (?:modif|modification|changement) d[eu]|quand|lorsque|dès que|en (?:modifiant|changeant|éditant)
    allowed-behind: au (?:plus|pire)|à la rigueur|suffit
    not: (?:il |on )?ne \S+ pas|n'\S+ pas|pas(?: d[e'])?|évite(?:z)?(?: d[e'])?|arrête(?:z)? d[e']|interdit d[e']
    must: (?:il |tu |vous |on )?(?:faut|dois|doit|doivent|devez|faudrait)(?: que tu)?|nécessite
    put: (?:va|vont|mets|mettre|mettez|place[rz]?|range[rz]?)(?= (?:\S+ ){0,3}(?:dans|sous)\b)|doi(?:t|vent) (?:aller|être|vivre)(?= dans)
    use: utilis(?:e|ez|er|ons)|emploie|préfère|prends|passe par|passer par
    run: lanc(?:e|er|ez|é)|exécut(?:e|er|ez|é)|fais(?: tourner)?|faire|relance(?:r)?|appelle|avec
    change: met(?:s|tre|tez)? à jour|mis(?:e)? à jour|modifi(?:e|es|er|ez|é)|chang(?:e|es|er|é)|édit(?:e|er|es|é)|touch(?:e|er|es)|incrémente(?:r|s)?|ajout(?:e|er|es|é)|synchronise(?:r)?|régénère(?:r)?|bump(?:er|é)?
    also: aussi|également|en même temps
    pronoun: ça|cela|le|la|les|ce fichier|ces deux
    but: mais|à la place(?! d)|donc|puis|ensuite
    ask: s'il te plaît|stp|svp|tu|on|vous|merci de|de|d'|juste
    filler: l'|un|une|des|du|dans|sur|à|au|aux|en|et|ou|non|oui|ok|merci|bien|bon|encore|d'abord|ici|seulement|que|est|sont|été|être|a|as|fichier|fichiers|dossier|pour|bref|par contre|direct|nouveau|nouvelle
  `),
  spanish: toRows(String.raw`
    open: quizás?|excepto|salvo|tal vez|podríamos|podemos|deberíamos|creo que|pienso|quiero|quisiera|voy a|por ahora|esta vez|por el momento|y si|por qué(?! no (?:actualizaste|ejecutaste))|cómo(?! siempre)|(?:siempre|nunca) (?:falla|funciona|he)|(?:eso|esto|él|ella|el script|yo) (?:\S+ )?(?:siempre|nunca)
    blame: (?:te )?(?:has )?(?:olvidaste|olvidado|saltaste|faltó)(?: (?:de|otra vez))*|te (?:has )?olvid(?:aste|ado)(?: de)?|faltan?(?: por)?(?= (?:actualizar|cambiar|regenerar|¤))|se te (?:olvidó|pasó|ha olvidado)|no(?: has)?(?= (?:actualizaste|actualizado|ejecutaste|cambiaste))|deberías haber|por qué no(?= (?:actualizaste|ejecutaste))
    stale: no (?:se actualizó|está(?:n)? actualizad[oa]s?|fue actualizad[oa])|(?:sigue|está) (?:desactualizad[oa]|con la versión (?:vieja|anterior))|quedó (?:desactualizad[oa]|sin actualizar)
    remind: no (?:te )?olvides(?: de)?|recuerda(?! esto)|acuérdate de
    standing: de ahora en adelante|a partir de ahora|desde ahora|en (?:el )?futuro|la próxima vez|para la próxima|cada vez(?! que)|lección aprendida|regla|por regla general|recuerda(?: esto)?(?=:)|en adelante
    always: (?<!como )siempre(?! que)|solo con|sólo con|únicamente con
    never: nunca|jamás|en ningún caso|bajo ninguna circunstancia|(?:está|están) prohibid[oa]s?
    ours: (?:aquí |acá )?(?:usamos|utilizamos|se usa|trabajamos con|pasamos a|tenemos)|(?:aquí|en este (?:repo|repositorio|proyecto))|es un proyecto(?: de)?
    sync: cada ¤+ (?:necesita|debe tener) (?:su|un|una)(?= ¤)|sincronizad[oa]s|misma versión|van juntos|juntos
    hands-off: a mano|manualmente|directamente|(?:es|está|están|se|son) (?:auto)?genera(?:d[oa]s?)?(?: (?:a partir de|desde|con))?|(?:es|son) de solo lectura|congelad[oa]s?
    instead-of: en vez de|en lugar de|(?:y )?no(?: en| con)?(?= ¤)
    reason: porque|si no|ya que|para que|pues
    without: sin(?: antes)?(?: haber)?
    before: y (?:solo|sólo) (?:entonces|después)|antes (?:de(?:l)?(?: cada| hacer| que)?|que)
    case: (?:cada vez|siempre) que|(?:si|cuando)(?= (?:cambi|modifi|edit|toc|toques))|al(?= (?:cambiar|modificar|editar|actualizar|tocar))
    after: después de(?:l)?(?: cada)?|cuando|tras
    allowed-behind: como (?:mucho|máximo)|a lo sumo|basta
    not: no|nada de|evita|deja de|sin usar
    must: (?:hay que|tienes que|debes?|deben|necesitas?|tenemos que|tiene que|hace falta)
    put: (?:va|van|pon|poner|colocar?|guarda)(?= (?:\S+ ){0,3}(?:en|a|bajo)\b)
    use: us(?:a|ar|es|e|en)|utili(?:za|zar|ces|ce)|prefiere
    run: ejecut(?:a|ar|es|e)|corr(?:e|er|as)|lanza(?:r)?|haz|hagas|hacer|pasa(?:r)?|con
    change: actuali(?:za|zar|ces|zaste|zado)|cambi(?:a|ar|es|as|aste)|modific(?:a|ar|as|aste)|modifiques|edit(?:a|ar|es|as|aste)|toc(?:a|ar|as)|toques|sub(?:e|ir|iste)|añad(?:e|ir|as)|agreg(?:a|ar|ues)|sincroniza(?:r)?|regenera(?:r)?
    also: también|además|a la vez
    pronoun: lo|la|los|eso|esto|ese archivo|estos dos
    but: sino|pero|así que|luego
    ask: por favor|porfa|porfis|tú|de
    filler: ya|el|las|un|una|unos|del|al|en|y|o|ok|vale|gracias|sí|oye|otra vez|como siempre|primero|aquí|solo|sólo|que|es|está|son|se|te|me|archivo|archivos|carpeta|para|por|nuevo|nueva|bien|ahora|antes|cualquier
  `),
  portuguese: toRows(String.raw`
    open: talvez|exceto|podemos|poderíamos|devemos|será que|acho que|quero|gostaria|vou|por enquanto|desta vez|por ora|e se|por que(?! você não)|como(?! sempre)|(?:isso|ele|ela|o script|eu) (?:\S+ )?(?:sempre|nunca)|(?:sempre|nunca) (?:falha|funciona)
    blame: você (?:se )?(?:esqueceu|pulou|deixou)(?: de novo| também)?(?: de)?|esquece(?:u|ste)(?: de)?|você não(?= (?:atualizou|rodou|executou|mudou|alterou))|você deveria ter|faltou|por que você não(?= (?:atualizou|rodou))
    stale: não foi(?= (?:atualizad[oa]|alterad[oa]))|(?:está|ficou|continua) (?:desatualizad[oa]|com a versão antiga)
    remind: não (?:se )?esque(?:ça|ce|ças)(?: de)?|lembr(?:e|a)(?:-se)?(?: de)?
    standing: de agora em diante|a partir de agora|daqui (?:para|pra|em) (?:a )?(?:frente|diante)|no futuro|d?na próxima vez|da próxima vez|toda vez(?! que)|todas as vezes|cada vez(?! que)|lição aprendida|regra|lembre-se:
    always: (?<!como )sempre(?! que)|só com|somente com|apenas com
    never: nunca(?: mais)?|jamais|em hipótese alguma|de jeito nenhum|(?:é|são) proibid[oa]s?
    ours: (?:aqui )?(?:usamos|a gente usa|utilizamos|se usa)|(?:aqui|neste (?:repo|repositório|projeto))|é um projeto
    sync: cada ¤+ (?:precisa de|precisa ter|deve ter) (?:seu|sua|um|uma)(?= ¤)|sincronizad[oa]s|em sincronia|mesma versão|andam juntos|juntos
    hands-off: (?:à|a|na) mão|manualmente|diretamente|(?:é|são) (?:auto)?gerad[oa]s?(?: (?:a partir de|por|com))?|somente leitura|congelad[oa]s?
    instead-of: em vez de|ao invés de|no lugar de|(?:e )?não(?: em| com| no| na)?(?= ¤)
    reason: porque|senão|pois|já que|para que
    without: sem(?: antes)?
    before: e só (?:então|depois)|antes (?:de|do|da)(?: cada| fazer| dar)?|antes que
    case: (?:sempre|toda vez) que(?: você)?|(?:se|quando) (?:você )?(?=mud|alter|edit|mex)|quando você|ao(?= (?:mudar|alterar|editar|atualizar|mexer))
    after: depois (?:de|do|da)(?: cada)?|após|quando
    allowed-behind: no máximo|basta
    not: não|nada de|evite|pare de|para de
    must: (?:você )?(?:precisa(?:mos)?|tem que|têm que|deve(?:m)?|é preciso)
    put: (?:vai|vão|fica|ficam|coloque|coloca|põe|ponha)(?= (?:\S+ ){0,3}(?:em|no|na|nos|nas|para|pra)\b)
    use: us(?:e|a|ar|es)|utiliz(?:e|a|ar)|prefira
    run: rod(?:e|a|ar)|execut(?:e|a|ar)|faça|fazer|chame|passe|com
    change: atuali(?:ze|zar|za|zou|zado|zada)|mud(?:e|ar|a|ou)|alter(?:e|ar|a|ou|ado|ada)|edit(?:e|ar|a|ou)|mex(?:a|er|e)(?: em| no| na)?|modifi(?:que|car|ca)|adicion(?:e|ar|a)|sincroni(?:ze|zar)|suba
    also: também|junto|ao mesmo tempo
    pronoun: isso|isto|ele|ela|esse arquivo|esses dois
    but: mas|e sim|então
    ask: por favor|pf|pfv|você|de|tu
    filler: o|a|os|as|um|uma|do|da|no|na|nos|nas|em|e|ou|ok|obrigad[oa]|sim|de novo|como sempre|primeiro|aqui|só|que|é|está|são|foi|se|arquivo|arquivos|pasta|para|pra|por|novo|nova|agora|antes|qualquer
  `),
  italian: toRows(String.raw`
    open: forse|tranne|possiamo|potremmo|dovremmo|penso che|credo|voglio|vorrei|per ora|per adesso|questa volta|stavolta|e se|perché(?! non hai)|come mai|puoi spiegar
    blame: (?:ti )?(?:sei|hai) (?:di nuovo |ancora |anche )?(?:dimenticat[oa]|scordat[oa]|saltat[oa])(?: di)?|non hai(?= (?:aggiornato|eseguito|modificato|lanciato))|avresti dovuto|manca(?:no)?(?: di nuovo| ancora)?(?= ¤)
    stale: non è stat[oa](?= (?:aggiornat|modificat))|(?:è|sono) (?:ancora )?(?:vecchi[oa]|obsolet[oa]|non aggiornat[oa])
    remind: non (?:ti )?dimenticare(?: di)?|ricorda(?:ti)?(?: di)?
    standing: d'ora in (?:poi|avanti)|da ora in (?:poi|avanti)|in futuro|la prossima volta|ogni volta(?! che)|regola|lezione imparata
    always: (?<!come )sempre|solo con
    never: mai(?: più)?|in nessun caso|(?:è|sono) vietat[oi]
    ours: (?:qui )?(?:usiamo|utilizziamo|si usa(?: solo)?)|(?:qui|in questo (?:repo|progetto))|è un progetto
    sync: sincronizzat[ie]|stessa versione|vanno insieme|insieme
    hands-off: a mano|manualmente|direttamente|(?:è|sono|viene|vengono) (?:auto)?generat[oaie](?: (?:da|con))?|in sola lettura
    instead-of: invece di|al posto di|anziché|(?:e )?non(?: in| con)?(?= ¤)
    reason: perché|altrimenti|sennò|dato che|così che
    without: senza(?: prima)?(?: aver)?
    before: prima (?:di|del|della|che)(?: ogni| fare)?|e solo dopo
    case: ogni volta che|(?:se|quando)(?= (?:modific|cambi|tocc|aggiorn))
    after: dopo (?:aver|ogni|il|la|un|una|che)?|quando|appena
    not: non|niente|evita(?: di)?|smetti di|smettila di|basta(?= (?:usare|con))
    must: (?:devi|deve|devono|dobbiamo|bisogna|serve|va|vanno)
    put: (?:va|vanno|metti|mettere|mettilo|mettili)(?= (?:\S+ ){0,3}(?:in|nella|nel|sotto|dentro)\b)
    use: usa(?:re|te)?|usi|utilizza(?:re)?|preferisci
    run: esegui(?:re)?|eseguito|lancia(?:re)?|fai|fare|con|passa(?:re)?
    change: aggiorna(?:re|to|ta)?|modific(?:a|are|hi|ato|ata)|cambi(?:a|are|ato)?|tocc(?:a|are|hi|ato)|aggiung(?:i|ere)|sincronizza(?:re)?|rigenera(?:re)?
    also: anche|pure|inoltre
    pronoun: lo|la|li|questo|quello|quel file
    but: ma|bensì|quindi|poi
    ask: per favore|per piacere|tu|di
    filler: il|i|gli|le|l'|un|una|uno|nel|nella|in|e|o|ok|grazie|sì|no|di nuovo|come sempre|prima|qui|solo|che|è|sono|essere|file|cartella|per|nuov[oaie]|allora|ciao|scusa
  `),
  dutch: toRows(String.raw`
    open: misschien|behalve|zullen we|kunnen we|zouden we|ik (?:denk|wil|zal|ga)|laten we|voorlopig|deze keer|voor nu|waarom(?! heb)|kun je (?:uitleggen|zeggen)|nog niet
    blame: je (?:bent|hebt)(?: \S+){0,6} (?:vergeten|overgeslagen|gemist)|vergeten(?: om)?|je had|waarom heb je(?: \S+){1,5} niet
    stale: (?:is|zijn|was|werd) (?:nog )?(?:niet (?:bijgewerkt|aangepast)|verouderd)|ontbreekt (?:weer|nog)|staat nog (?:op|de oude)
    remind: vergeet (?:\S+ )?niet|niet vergeten|denk (?:eraan|aan)
    standing: vanaf nu|voortaan|in de toekomst|in het vervolg|(?:de )?volgende keer|elke keer(?! (?:dat|als))|les geleerd|regel
    always: (?<!zoals )altijd|steeds|alleen (?:met|via)
    never: nooit(?: meer)?|in geen geval|onder geen beding|(?:is|zijn) verboden
    ours: we gebruiken|wij gebruiken|(?:hier|in deze repo|in dit project)|dit is een|het is een
    sync: synchroon|gelijk|dezelfde versie|horen bij elkaar|samen
    hands-off: met de hand|handmatig|rechtstreeks|direct|(?:is|zijn|wordt|worden) (?:automatisch )?gegenereerd(?: (?:uit|door))?|bevroren|alleen-lezen
    instead-of: in plaats van|(?:en )?niet(?: in| met)?(?= ¤)
    reason: omdat|anders|want|zodat
    without: zonder(?: eerst)?
    before: en dan pas|voordat(?: je| we)*|voor(?: je| elke| de| het| een)*
    case: (?:elke keer )?(?:als|dat|wanneer|zodra) (?:je|we)
    after: nadat(?: je)?|na(?: elke| de| het| een)*|wanneer|als|zodra
    not: niet|geen|vermijd|stop met|blijf af van
    must: (?:je |we )?(?:moet(?:en)?|hoort|dient)
    put: (?:hor(?:en|t)|hoort|gaat|gaan|komt|komen|zet|plaats)(?= (?:\S+ ){0,3}(?:in|naar|onder)\b)
    use: gebruik(?:en|t)?|neem|pak
    run: draai(?:en|t)?|voer|uitvoeren|uit te voeren|uitgevoerd|runnen|doe|doen|met|laat
    change: bijwerken|bij te werken|bijgewerkt|werk|aanpas(?:sen|t)|pas|aangepast|aan te passen|wijzig(?:en|t)?|gewijzigd|bewerk(?:en|t)?|verander(?:en|t)?|raak|aanraken|voeg|toevoegen|toe te voegen
    also: ook|eveneens|tegelijk
    pronoun: het|dat|die|deze|dat bestand
    but: maar|dus|dan
    ask: alsjeblieft|alsjebl|aub|graag|je|jij|we|te|gewoon|even
    filler: de|een|in|op|aan|van|en|of|ok|oké|bedankt|dank|nee|ja|weer|eerst|hier|alleen|is|zijn|wordt|worden|bestand|bestanden|map|hm+|nieuwe?|nu|nog|om|er
  `),
  russian: toRows(String.raw`
    open: может быть|возможно|кроме|давай(?:те)?|пока|в этот раз|почему(?! ты не)|как насч[её]т|стоит ли|я (?:думаю|хочу)|не надо ли
    blame: ты (?:опять |снова |ещё )?(?:забыл[аи]?|пропустил[аи]?)|забыл[аи]?|ты не(?= (?:обновил|запустил|изменил))|почему ты не
    stale: не обновл[её]н[аоы]?|(?:уста?рел|устарела|устарели)|(?:всё )?ещё старая версия
    remind: не забудь(?:те)?|не забывай(?:те)?
    standing: с этого момента|отныне|впредь|в будущем|в следующий раз|каждый раз(?!,? когда)|правило|на будущее|запомни
    always: всегда|обязательно|только (?:с|через)
    never: никогда(?: больше)?(?: не)?|ни в коем случае(?: не)?|запрещено
    ours: (?:здесь |тут )?мы используем|(?:здесь|тут|в этом (?:репозитории|проекте))|у нас
    sync: синхронно|вместе|та же версия
    hands-off: вручную|руками|напрямую|(?:авто)?генериру(?:ется|ются)|сгенерирован[аоы]?|только для чтения
    instead-of: вместо|(?:а )?не(?= ¤)
    reason: потому что|иначе|так как|чтобы
    without: без|пока не
    before: и только потом|перед(?: кажд(?:ым|ой))?(?: тем,? как)?|прежде чем|до(?= ¤)
    case: (?:когда|каждый раз,? когда|если)(?: ты)?(?= (?:меня|измен|прав|обновл))|при изменении
    after: после(?: того,? как| каждого| изменения)*|когда
    not: не|нельзя|избегай|перестань|хватит
    must: нужно|надо|должен|должна|должны|следует|необходимо
    put: (?:клади|кладём|лежат|лежит|должны лежать|помещай)(?= (?:\S+ ){0,2}в\b)
    use: использ(?:уй|уйте|овать|уем)|пользуйся|бери
    run: запус(?:ти|кай|кать|тить|кайте)|выполн(?:и|яй|ять|ить)|делай|делать|с
    change: обнов(?:и|ить|ляй|лять)|меня(?:й|ть|ешь)|измен(?:и|ить|яй|ять|яешь)|прав(?:ь|ить|ишь)|трога(?:й|ть)|редактир(?:уй|овать)|добав(?:ь|ить|ляй|лять)
    also: тоже|также|ещё и|и(?= ¤)
    pronoun: это|его|её|их|этот файл
    but: но|поэтому|затем
    ask: пожалуйста|плиз|плз|ты|мы|просто
    filler: и|в|на|из|или|ок|спасибо|нет|да|опять|снова|сначала|только|файл(?:ы|ов|а)?|папк[аиуе]|что|так|же|новы[ей]
  `),
  chinese: toRows(String.raw`
    open: 也许|除了|可能|要不要|是不是|能不能|可以吗|吗|我想|我觉得|暂时|这次|先别|目前|为什么(?!没)|怎么|如何|(?:它|他|她|脚本|CI)(?:总是|一直|从不)|(?:这个|该)(?:接口|函数|方法|按钮|页面)
    blame: 你(?:又|还|再次)?(?:忘记|忘了|漏了|遗漏|没有?(?=更新|运行|修改|同步|执行))(?:了)?|又忘了|又漏了|为什么没(?:有)?(?=更新|运行)
    stale: (?:没有|没|未)(?:被)?(?:更新|同步|修改)|还是旧(?:的|版)|已经过期|过时了|不同步
    remind: 别忘(?:了|记)?|不要忘(?:了|记)|记得
    standing: (?<=^|[，。,.!！\s])以后|今后|从现在(?:开始|起)|从今(?:以后|往后)|下次|下一次|教训|规则|记住|牢记|一律|务必
    always: 总是|始终|一定要|必须|永远要|都要|只能用
    never: 永远不要|千万不要|绝不(?:要|能|可以)?|切勿|千万别|绝对不(?:要|能)|从不|再也不要|不允许|禁止
    ours: 我们(?:这里)?(?:只|都|一直)?(?:用|使用)|(?:这个|本)(?:项目|仓库)(?:里|中)?(?:只)?用?
    sync: 保持(?:一致|同步)|同步更新|一起(?:改|更新)|版本(?:一致|相同)
    hands-off: 手动|手工|直接|(?:自动)?生成的?|只读|冻结
    instead-of: 而不是|代替
    reason: 因为|否则|不然
    without: 没有?(?:先)?(?=运行|执行)
    before: 再(?=\s*¤)|然后再
    case: 当(?:你)?|如果(?:你)?|只要|每当|每次
    before-behind: (?:之前|以前|前)
    after-behind: (?:之后|以后|后|的时候|时)
    not-behind: (?:是错的|不对|不行)
    not: 不要(?:再)?(?:用)?|别(?:再)?(?:用)?|不是|不用|不能|避免|禁用|不(?:应该|应|该)
    must: 需要|要|得|应该
    put: 放在|放到|应该在|放进
    use: 使用|要用|请用|改用|用
    run: 运行|执行|跑(?:一下|一遍)?|调用|加上|带上|先(?=\s*¤)
    change: 更新|修改|改(?:了|完|动)?|编辑|同步|升级|提升|动|碰|添加
    also: 也|同时|一起|还要|还需要
    pronoun: 它|这个文件|这两个
    but: 而是|但(?:是)?|所以
    ask: 请|你|我们|麻烦
    filler: 了|的|在|先|好的?|谢谢|和|或|里|中|这个|一下|对|被|把|都
  `),
  japanese: toRows(`
    open: かもしれ|以外|でしょうか|ですか|ましょうか|と思い|とりあえず|今回(?:だけ|は)|なぜ(?!.{0,12}しなかった)|どうして|どうやって
    blame: (?:を|の更新を|も|の)?(?:忘れて(?:います|いる|ます|る|いました|た)|忘れました|更新(?:し忘れ|されていません|していません|してない)|実行し忘れ)|なぜ.{0,12}(?:更新|実行)しなかった
    stale: が(?:更新されて(?:いない|いません|ない|ません)|古い(?:まま)?)
    remind: (?:を|も|の更新を)?忘れない(?:で|よう)|忘れずに|必要があります|ようにして
    standing: 今後(?:は)?|これから(?:は)?|次回(?:は|から)?|次から(?:は)?|毎回|ルール|教訓|覚えておいて|今度から(?:は)?
    always: 必ず|常に|いつも
    never: 絶対に|決して|二度と|禁止
    ours: この(?:プロジェクト|リポジトリ)(?:では)?|私たちは|うちは|ここでは
    sync: 同期|一致させ|揃え
    hands-off: 手動で|手で|直接|自動生成|生成され|読み取り専用
    reason: なぜなら|さもないと|そうしないと|忘れると
    before-behind: (?:の|する|をする|を実行する)?前に(?:は)?
    after-behind: (?:(?:を(?:変更|更新|編集|修正|変え))(?:したら|した(?:後|とき|時|ら)(?:に|は)?|する(?:とき|時|たびに|場合)(?:は|に)?|たら)|の後(?:に|で))
    not-behind: (?:ではなく|じゃなくて?|の代わりに|は?(?:使わない|使用しない|使うな|禁止|編集しない|変更しない|触らない)|に(?:直接)?(?:プッシュ|push|コミット)しない|を(?:直接)?(?:使わない|編集しない|変更しない|触らない|実行しない)|しない(?:で|こと))
    must: べき|なければ(?:なりません|ならない)|必要
    put: に置い|に入れ|に配置
    use: を使(?:って|う|います)|使用し|使い
    run: を実行|を走らせ|実行し|を付け|をつけ
    change: を(?:更新|変更|編集|修正|追加)|に追加|更新し
    also: も|一緒に|同時に
    pronoun: それ|これ|このファイル
    but: 代わりに|でも|しかし
    ask: ください|お願い
    filler: は|を|に|の|と|が|で|や|先に|まず|ありがとう|すみません|してください|して
  `),
  korean: toRows(String.raw`
    open: 아마|제외|할까요|인가요|나요\?|일단|이번(?:만|에는)|왜(?! 안)|어떻게
    blame: (?:을|를|도)? ?(?:빠뜨렸|빼먹었|잊었|까먹었|누락했)(?:어요|네요|습니다|다|어)?|업데이트(?:를)? 안 (?:했|하셨)
    stale: (?:이|가) ?업데이트되지 않|예전 버전
    remind: 잊지 마(?:세요)?|까먹지 마(?:세요)?
    standing: 앞으로(?:는)?|이제부터(?:는)?|다음(?:부터|번)(?:는|에는|엔)?|매번|규칙|기억해
    always: 항상|반드시|꼭|늘
    never: 절대(?:로)?|금지
    ours: (?:이|우리) (?:프로젝트|저장소|레포)(?:에서는|는)?|여기서는|우리는
    hands-off: 수동으로|직접|손으로|자동 ?생성|읽기 전용
    reason: 왜냐하면|안 그러면|그렇지 않으면
    before-behind: (?:을|를)? ?(?:하기|실행하기|커밋하기|푸시하기)? ?전에(?:는)?
    after-behind: (?:을|를)? ?(?:수정|변경|편집)?(?:하면|한 (?:뒤|후)(?:에(?:는)?)?|할 때(?:는|마다)?|후에)
    not-behind: 말고|대신|이 아니라|가 아니라|(?:은|는|을|를)? ?(?:쓰지|사용하지|수정하지|편집하지|건드리지|실행하지|하지) (?:마세요|마|말고|말아)
    use: (?:을|를)? ?(?:쓰세요|써|사용하세요|사용해|쓰는)
    run: (?:을|를)? ?(?:실행|돌려|돌리)(?:하세요|해|세요)?
    change: (?:을|를|도)? ?(?:업데이트|수정|변경|추가)(?:하세요|해)?
    also: 도|함께|같이
    ask: 주세요|제발|부탁
    filler: 을|를|은|는|이|가|에|로|으로|먼저|네|아니요?|고마워요?|그리고|파일|폴더
  `),
};

function toRows(text: string): Language {
  return Object.fromEntries([...text.matchAll(/^ *([\w-]+): (.+)$/gm)].map(([, role, words]) => [role, words]));
}
