/**
 * The words by which people state a rule or name an omission, by language. A row is data: alternatives of a regular
 * expression, matched without regard to case, with `'` for every apostrophe. The words of all languages count at once,
 * because people mix them. Chinese and Japanese write no blanks, so their words match anywhere.
 */

export const ROLES = [
  /** Says that a sentence holds for good. */
  'lasting',
  /** Says for good what to do, and what not to do. */
  'always',
  'never',
  /** Tells the agent that it left something out. */
  'blame',
  /** The same, from a sentence about the thing itself: `x.json wasn't updated`. */
  'stale',
  /** Reminds of something; on its own also a word of tasks. */
  'remind',
  'ensure',
  /** The same about the thing itself: `x has to be run`. */
  'passive',
  /** What follows is unwanted; what follows is needed first. */
  'not',
  'without',
  /** What follows is the moment before which, or after which, something has to be done. */
  'before',
  'after',
  /** Verbs: what follows is to be used, run, changed. */
  'use',
  'run',
  'change',
  /** What follows is wanted again. */
  'but',
  'also',
  /** Several files change together. */
  'sync',
  /** Here and in this project. */
  'ours',
  /** A question, a doubt, a plan, or a word about this moment only. */
  'open',
  /** Tells how things are: somebody else acts, or the user did. */
  'report',
  /** The same as some of the above, behind the thing that they are about. */
  'notBehind',
  /** Behind a thing that is allowed in the place of one that is not. */
  'allowedBehind',
  'beforeBehind',
  'afterBehind',
] as const;
export type Role = (typeof ROLES)[number];

interface Language {
  /** Words are written without blanks between them. */
  readonly isUnspaced?: true;
  readonly words: Readonly<Partial<Record<Role, string>>>;
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  english: {
    words: {
      lasting:
        "from (?:now|here|this point) on(?:wards?)?|from today(?: on)?|going forward|moving forward|in (?:the )?future|for (?:the )?future(?= ?[:,.]|$)|for (?:the )?future reference|for next time|next time|lessons? learn(?:ed|t)|(?:as a|new|general|house|project|team|repo|our|one|hard|standing|important|simple) (?:general )?rule|rule of thumb|no ¤+(?= without)|rule (?:number |no\\.? ?|#)?(?:one|two|three|\\d)|(?:after|on|with|for) any change|without (?:asking|(?:my|our) (?:ok|okay|permission|approval|consent|go))|rule here|rule:|(?<=\\b(?:don'?t|do not|no|not|stop)\\b.{1,80})\\bever(?=\\W*$)|under any circumstances|reminder for (?:later|the future)|every ?(?:single )?time|each time|any ?time|whenever|before (?:each|every)|after (?:each|every)(?= (?:\\S+ ){0,4}¤)|keep in mind|bear in mind|note (?:to self|for later)|for the record|our (?:policy|convention)|by convention|as a policy|policy is|once and for all|please remember(?: this)?(?=[:,])|remember(?: this)?(?=[:,])|ever again|remember (?:that|this|it)(?=\\W*$)|by hand|manually|(?:is|are|it'?s|they'?re) (?:auto-?)?generated|in this (?:repo|repository|project|codebase|monorepo|workspace) (?:we|you)",
      always: 'always|(?:must|should|have to|need to) always|make it a habit to|make a habit of|without exception',
      never:
        "never(?: ever)?|never want (?:you )?to(?: see you)?|(?:don'?t|do not) (?:ever )?want to see(?: you(?: \\w+ing)?)?(?= ¤.{0,60}\\b(?:again|ever)\\b)|(?:don'?t|do not) (?:you )?ever|under no circumstances(?: should you)?|(?:is|are) (?:strictly )?(?:forbidden|off[- ]limits)|no more|stop ever",
      blame:
        "you(?:'ve| have)?(?: \\w+)? (?:forgot(?:ten)?|missed|skipped|omitted|overlooked|neglected|left out)|you (?:always|keep|kept) (?:forget(?:ting)?|skip(?:ping)?|miss(?:ing)?)|(?:did|have) you forg[eo]t(?:ten)?|why (?:didn'?t|haven'?t) you(?: also)?|why (?:did|have) you not|you(?:'ve| have)? (?:still )?(?:didn'?t|did not|haven'?t|have not|never)(?: also| even| actually)?(?= (?:updat|bump|run|ran|regenerat|sync|chang|touch|edit|rebuil|includ|add|re-?gen|format))|you (?:should|were supposed to) have(?: also)?|you were (?:also )?supposed to|you should'?ve(?: also)?|^\\W*(?:(?:and|but|oh|hey|again|ah|no|hm+),? )*forgot(?:ten)?|you ¤+(?=(?: \\S+){0,4} without)|(?<!\\bi\\b.{0,60})(?:but|and) (?:you )?forgot(?: to| about)?|(?<=\\byou\\b.{1,80})(?:but|and) (?:didn'?t|did not|never)(?= (?:updat|bump|run|regenerat|sync|chang|touch|edit|rebuil|add|includ))|you left (?=¤)|(?:again|still) no(?= ¤)|you (?:committed|pushed|merged|finished|stopped|bumped|changed|edited|updated|renamed|added|released|published|touched)(?: \\S+){1,6} (?:but not|without (?:updat|bump|chang|touch|runn|regenerat|sync|add|edit|creat|writ)\\w*)|you only (?:updated|changed|bumped|edited|touched)",
      stale:
        "(?:was|were|is|are|has|have)(?:n'?t| not| still not)(?: been)? (?:run|updated|bumped|regenerated|changed|touched|synced|in sync|adjusted|rebuilt)|still (?:has|have|says?|shows?|lists?|on|at) (?:the )?(?:old|previous|wrong|last) (?:versions?|numbers?|values?|names?)|still (?:has|have|says?|shows?|lists?|reads?) v?\\d+\\.\\d[\\w.-]*|(?:is|are) still (?:on|at) v?\\d[\\w.]*(?=\\s*(?:[,;:!)]|\\.(?!\\d)|$|and\\b|but\\b))|(?:is|are) still the old (?:ones?|versions?)|(?<=¤ )(?:is|are|was|were)(?:n'?t| not) (?:in|part of) (?:the|that|this|your)(?: last)? ¤{2,7}(?!¤)|(?<=¤ (?:\\w+ ){0,2})not (?:updated|bumped|changed|regenerated|run)|(?<=\\bnew (?:\\S+ ){1,4})(?:(?:is|are|was|were)(?:n'?t| not)(?: even| yet)? (?:(?:listed|mentioned|documented|included|registered) )?in|(?:is|are) (?:still |again )?missing (?:in|from))(?= (?:the )?¤)|(?<=¤ )(?:is|are) (?:missing|left out) (?:yet )?again|(?:is|are) (?:now |still |again )?(?:out of sync|missing from the commit)|(?:should|must) (?:also )?have been (?:updated|bumped|changed|regenerated|adjusted|edited)|(?:was|were|got) (?:left (?:out|behind)|forgotten|missed|skipped|not updated)",
      allowedBehind:
        'at (?:most|best)|if (?:at all|anything|you must)|(?:is|are) (?:fine|ok|okay|allowed|enough)|only(?=\\W*$)|instead',
      afterBehind: '(?:also |always )?(?:means|requires|implies)(?= (?:a |an |also )?(?:chang|updat|bump|edit|adjust))',
      remind:
        "i (?:already |just |clearly |specifically )?(?:told|asked) you(?: to)?|(?:don'?t|do not|never) (?:you )?forget(?: (?:to|about|that|the))?|remember(?: (?:to|about))?(?! that)|(?:please )?keep \\w+ing|(?:you(?:'ll| will)? |^)(?:also|still) (?:need|have|ought) to|(?:you )?(?:must|should) also|(?:you )?(?:need|have) to also|needs? (?:an? )?(?:update|updating|bumping|changing|a bump|the same (?:change|bump|update|version))|(?<=¤ )(?:also|still) needs?(?: to be)?(?: (?:updated|bumped|changed|regenerated|added|synced))?|needs? to be (?:updated|bumped|changed|regenerated|synced)",
      ensure:
        "(?:please )?(?:make|be) (?:very |absolutely )?sure(?: (?:to|that))?|ensure(?: that)?|you(?:'ll)? (?:need to|have to|must|should)(?! not)",
      passive:
        '(?:has|have|needs?|must|should|ought)(?: to)?(?: always| also)? be (?:run|rerun|re-run|executed|updated|bumped|regenerated|changed|edited|adjusted|synced)',
      not: "(?:don'?t|do not|doesn'?t|does not|didn'?t|did not)|instead of|in place of|rather than|shouldn'?t|should not|mustn'?t|must not|can'?t|cannot|stop|avoid|quit|refrain from|not|no longer|(?<!again |still |is |'s |are )no(?: direct| manual| more)?(?= ¤)",
      without: 'without(?: first)?|unless|until',
      before:
        '(?:and )?only then|before(?: you| any| each| every| we| opening| making| doing| even)*|prior to|ahead of',
      after:
        'after(?: you| any| each| every)*|(?:the )?next time(?= you)(?: you)?|every ?(?:single )?time(?: you| we)*|when(?:ever)?(?: you| we| i)*|once(?: you)|every time(?: you| we)*|each time(?: you| we)*|any ?time(?: you| we)*|as soon as|if you|if we|if(?= (?:the )?¤)|on every|for every|with every|while(?: you)?|alongside|together with|along with',
      use: 'use|using|uses|prefer|stick (?:to|with)|go with|switch to|work with|go through|via',
      run: 'run|running|re-?run|execute|executing|call|invoke|do|pass|passing|launch|start|with|finish with|try|apply|needs?(?= ¤)|requires?(?= ¤)',
      change:
        'updat(?:e|es|ed|ing)|bump(?:s|ed|ing)?|edit(?:s|ed|ing)?|chang(?:e|es|ed|ing)|modif(?:y|ies|ied|ying)|touch(?:es|ed|ing)?|regenerat(?:e|es|ed|ing)|sync(?:s|ed|ing|hroni[sz]e)?|adjust(?:s|ed|ing)?|add(?:s|ed|ing)?|keep(?:ing)?|refresh(?:ing)?|increment(?:ing)?|extend(?:ing)?|registers?|registering|write|writing|alter(?:ing)?|rename[sd]?|renaming|rebuild(?:ing)?|hand-?edit(?:ing)?|overwrit(?:e|ing)|delet(?:e|ing)|remov(?:e|ing)|includ(?:e|ing)|mirror(?:ing)?',
      but: 'but(?! not)|instead(?! of)',
      also: 'also|too|as well|at the same time|accordingly|in addition',
      sync: '(?:in|out of) (?:sync|step|lockstep)|same version|(?:must|should|ha(?:ve|s) to|needs? to|always) (?:always )?(?:match(?=\\W*$|(?: \\S+){0,3} ¤)|be (?:the same|identical|equal))|(?:^|[^\\w])always (?:update |change |bump |edit )?both|mirrors(?= ¤)|go (?:hand in hand|together)|(?:every|each|any) ¤+ (?:also |always )?(?:needs?|requires?|must have|has to have|should have|comes with) (?:its|an?|the|their)(?: own| matching| corresponding)?(?= ¤)|(?:every|each|any) (?:\\w+ )?change (?:in|of|to) ¤+ (?:also |always )?(?:needs?|requires?)|belong together|aligned|(?:must|should|have to|need to|always) (?:always )?(?:be )?(?:updated|bumped|changed|change|move) together',
      ours: "we (?:only |always |never |don't |do not |no longer )?(?:use|run|prefer)|we(?:'re| are) using|(?:this|the|our) (?:repo|repository|project|codebase|team|package|monorepo) (?:only )?(?:uses|runs|is on)|(?:here|in this (?:repo|repository|project|codebase|monorepo))(?=\\W|$)",
      open: "^\\W*(?:(?:please|can you|could you|now|then|and|also|next),? )*(?:add|write|create|implement|build|set up|configure|introduce|develop|make|generate|give) (?:a|an|the|some|me|another|new) |^\\W*(?:(?:please|can you|could you|now|then|and|also|next),? )*(?:add|write|put|document|mention|include|change|update|edit|modify|adjust|extend|configure|fix|state|translate|create)\\b(?!.{0,40}(?:memor|notes))[^.:]{0,80}(?::|\\bthat\\b|\\bso\\b)|^\\W*(?:in|inside|within) (?:the |our )?¤+,|^\\W*(?:please )?(?:group|combine|extract|move)\\b|(?:which|that) (?:says?|reads?|states?|tells?)|maybe|perhaps|except(?!ion)|(?:apart|aside) from|other than|(?:anything|anywhere|nothing) but|i (?:think|thought|assumed?|guess|wonder|suspect|suppose|believe)|not sure|might|(?:can|could|shall|should|do|would|are|did) we|what if|how about|what about|let me|i'?ll|i will|i want(?! you to)|i would(?! like you)|i'?d (?:like(?! you)|rather|prefer)|i need(?! you to)|let'?s|for now|this time|just this once|for the moment|tempora\\w+|yet|just for this|in this (?:case|commit|pr)|whether|either|for this (?:task|pr|change|one)|today only|no need|(?:don'?t|never) (?:worry|mind|bother)|never ?mind|is it|does it|how (?:do|does|can|should)|where|wondering|worth|check (?:if|whether)|see (?:if|whether)|explain|would it",
      report:
        "(?:the|our|a|an|every) (?:\\S+ ){0,3}[^\\s¤]+ (?:should|must|has to|needs to)(?: also)? (?:always|never)|(?:it|this|that|which|they|he|she|ci|everyone|somebody|someone|users?|the (?:script|tests?|readme|docs?|build|code|function|pipeline|app|server|page|button|hook|bot|job|workflow|makefile|action|test suite|linter|cli)) (?:still |now |also |just )?(?:always|never|keeps?|won't|doesn't|should(?: also)?(?: always| never)|must(?: always| never))|i(?:'m|'ve|'d| am| have)? (?:always|never(?! want)|just|already|usually|only|forgot|missed|did|ran|used|tried|noticed|see|saw)|(?:always|never) (?:fails|failed|works|worked|gets|got|breaks|prints|returns|shows|seems|happens|ends|finishes|starts|runs|uses|calls|updates|seen|been|had|has|is|was|did)",
    },
  },
  german: {
    words: {
      lasting:
        'ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|in zukunft|zukünftig|künftig|fürs nächste mal|nächstes mal|beim nächsten mal|merk(?:e|t)? dir|als regel|grundsätzlich|generell|jedes mal|jedesmal|immer wenn|(?:bei|vor|nach) jede[mrn]|lektion gelernt|gelernt:|regel:|wichtige regel',
      always: '(?<!wie )immer',
      never: 'nie(?:mals)?(?: wieder)?|auf keinen fall|unter keinen umständen|niemals',
      blame:
        'du hast (?:(?:es|wieder|schon wieder|mal wieder|leider|auch|noch) )*(?:vergessen|übersehen|ausgelassen)|du hast(?: \\S+){1,6} (?:vergessen|übersehen|ausgelassen|nicht (?:aktualisiert|angepasst|geändert|ausgeführt|mitgezogen|erhöht))|(?:schon )?wieder vergessen|vergessen,? |warum hast du(?: \\S+){1,5} nicht|(?<=¤ )hast du (?:\\S+ ){0,3}(?:vergessen|übersehen|nicht (?:aktualisiert|angepasst|geändert|ausgeführt|mitgezogen|erhöht))',
      stale:
        '(?:wurde|ist|sind|wurden) (?:noch )?(?:nicht (?:aktualisiert|angepasst|geändert)|veraltet)|(?:hat|steht|zeigt) noch (?:die|der|das|auf der) alte[nr]?|fehlt noch|fehl(?:t|en) (?:schon |mal )?wieder|(?<=\\bneuen? (?:\\S+ ){1,4})(?:steht|stehen|ist|sind|fehlt|fehlen) (?:noch )?(?:nicht )?in(?= (?:der )?¤)',
      remind:
        'vergiss (?:bitte )?nicht|nicht vergessen|denk(?:e)?(?: bitte)? (?:daran|dran)|(?:du )?muss(?:t)?(?: du)? auch|auch noch|ebenfalls',
      ensure: 'stell(?:e)?(?: bitte)? sicher|sorg(?:e)? dafür|achte darauf|pass auf',
      not: 'nicht|kein(?:e|en)?|statt|anstatt|anstelle(?: von)?|ohne dass|vermeide|hör auf',
      without: 'ohne(?: vorher| zuerst)?|bevor nicht|solange nicht',
      before: 'und erst (?:dann|danach)|bevor(?: du| wir)*|vor(?: jedem| jeder| dem| einem| der)?',
      after:
        'nachdem(?: du)?|nach(?: jeder| jedem| dem| der| einer)?|wenn(?: du| wir)*|immer wenn(?: du)?|sobald(?: du)?|sooft|jedes mal wenn(?: du)?|als du|falls du|bei jede[mr]',
      use: 'benutz(?:e|t|en)?|verwend(?:e|et|en)?|nimm|nutz(?:e|en)?|nehmen',
      run: 'führ(?:e|en)?|ausführ(?:en|t)|lass|starte|ruf(?:e)?|laufen',
      change:
        'aktualisier(?:e|en|t|st)|änder(?:e|n|st|t)|geändert|anpass(?:en|t)|pass|angepasst|bearbeit(?:e|en|et)|editier(?:e|en|t)|erhöh(?:e|en|t|st)|fass|anfass(?:en)?|mitziehen|ergänz(?:e|en|t)|aktualisierst',
      but: 'sondern|aber|stattdessen',
      also: 'auch|ebenfalls|ebenso|mit',
      sync: 'jede[rs]? ¤+ braucht (?:auch )?(?:seine?n?|ihre?n?|eine?n?|die|das|den)(?: eigene[sn]?| passende[sn]?)?(?= ¤)|synchron|gleich(?:e version| halten)|zusammen(?: ändern)?|gehören zusammen',
      allowedBehind: 'höchstens|allenfalls|wenn überhaupt|reicht|ist ok(?:ay)?',
      ours: 'wir (?:benutzen|verwenden|nutzen|nehmen)|(?:hier|in diesem (?:repo|projekt))',
      open: 'vielleicht|außer|sollen wir|sollten wir|können wir|könnten wir|was wäre|ich (?:glaube|denke|möchte|will|werde)|lass uns|erstmal|vorerst|diesmal|fürs erste|kannst du erklären|warum|wieso(?! hast)',
      report: '(?:es|das|sie|er|man|ci|der test|das skript|ich) (?:\\w+ )?(?:immer|nie)',
    },
  },
  french: {
    words: {
      lasting:
        "à partir de maintenant|dorénavant|désormais|à l'avenir|la prochaine fois|à chaque fois|chaque fois|leçon apprise|leçon retenue|règle ?:|en règle générale|souviens-toi|retiens(?: bien)?|(?:avant|après) chaque",
      always: '(?<!(?:comme|est|sont) )toujours|systématiquement',
      never: "(?:n[e'] ?\\S+ )?jamais|n[e'] ?\\S+ plus|en aucun cas",
      blame:
        "tu as (?:encore |aussi )?(?:oublié|omis|raté|sauté)(?: d[e'])?|t'as (?:encore )?oublié(?: d[e'])?|vous avez (?:encore )?oublié(?: d[e'])?|tu n'as pas (?:mis à jour|lancé|exécuté|modifié)|tu aurais dû(?: aussi)?|pourquoi (?:tu n'as pas|n'as-tu pas)",
      stale:
        "n'a pas été (?:mis(?:e)? à jour|modifié(?:e)?)|n'est (?:toujours |encore )?(?:pas|plus) à jour|est (?:encore |toujours )?(?:obsolète|périmé(?:e)?)",
      remind:
        "n'oublie(?:z)? pas(?: d[e'])?|pense(?:z)? (?:bien )?à|rappelle-toi(?: d[e'])?|il faut aussi|tu dois aussi|vous devez aussi",
      ensure: "assure-toi(?: d[e']| que)?|assurez-vous(?: d[e']| que)?|veille à|vérifie que",
      not: "ne \\S+ pas|n'\\S+ pas|plutôt que|au lieu d[e']|à la place d[e']|pas(?: d[e'])?|évite(?:z)?|arrête d[e']",
      without: "sans(?: avoir)?(?: d'abord)?|tant que",
      before: "et seulement (?:ensuite|après)|avant (?:d[e']|chaque|tout|le|la|que tu|un|une)?",
      after:
        'après (?:avoir|chaque|le|la|un|une|que)?|quand(?: tu| on)*|lorsque(?: tu)?|chaque fois que(?: tu)?|dès que(?: tu)?|si tu|en (?:modifiant|changeant|éditant)',
      use: 'utilis(?:e|ez|er|ons)|emploie|préfère|prends|passe par',
      run: 'lance(?:r|z)?|exécute(?:r|z)?|fais(?: tourner)?|relance(?:r)?|appelle',
      change:
        'met(?:s|tre|tez)? à jour|mis à jour|modifi(?:e|es|er|ez|é)|chang(?:e|es|er|é)|édite(?:r|s)?|touche(?:r|s)?|incrémente(?:r|s)?|ajoute(?:r|s)?|synchronise(?:r)?|régénère(?:r)?|bump(?:er|é)?',
      but: 'mais|à la place(?! d)',
      also: 'aussi|également|en même temps',
      sync: 'chaque ¤+ (?:a besoin de|doit avoir) (?:son|sa|un|une)(?= ¤)|synchronisé(?:s|es)?|même version|vont ensemble|ensemble',
      allowedBehind: 'au (?:plus|pire)|à la rigueur|suffit',
      ours: 'on (?:utilise|emploie)|nous utilisons|(?:ici|dans ce (?:dépôt|repo|projet))',
      open: "peut-être|sauf|est-ce qu|on pourrait|pourrait-on|je (?:pense|crois|veux|voudrais|vais)|et si|pour l'instant|cette fois|pour le moment|devrait-on|pourquoi(?! (?:tu n'as|n'as))",
      report: '(?:ça|il|elle|on|ci|le script|je) \\S+ (?:toujours|jamais)',
    },
  },
  spanish: {
    words: {
      lasting:
        'de ahora en adelante|a partir de ahora|desde ahora|en (?:el )?futuro|la próxima vez|para la próxima|cada vez|siempre que|lección aprendida|regla ?:|como regla|por regla general|recuerda(?: esto)?:|(?:antes|después) de cada',
      always: '(?<!como )siempre(?! que)',
      never: 'nunca|jamás|en ningún caso|bajo ninguna circunstancia',
      blame:
        '(?:te )?(?:has )?(?:olvidaste|olvidado|saltaste|faltó)(?: (?:de|otra vez))*|te olvidaste(?: de)?|faltan? (?:por )?(?:actualizar|cambiar|regenerar)|se te (?:olvidó|pasó|ha olvidado)|olvidaste|no (?:has )?(?:actualizaste|actualizado|ejecutaste|cambiaste)|deberías haber|por qué no (?:actualizaste|ejecutaste)',
      stale:
        'no (?:se actualizó|está(?:n)? actualizad[oa]s?|fue actualizad[oa])|(?:sigue|está) (?:desactualizad[oa]|con la versión (?:vieja|anterior))|quedó (?:desactualizad[oa]|sin actualizar)',
      remind:
        'no (?:te )?olvides(?: de)?|no olvides|recuerda|acuérdate de|también (?:hay que|tienes que|debes|necesitas)|hay que .{0,20}también',
      ensure: 'asegúrate(?: de)?(?: que)?|verifica que',
      not: 'no|en vez de|en lugar de|evita|deja de|sin usar',
      without: 'sin(?: antes)?(?: haber)?',
      before: 'y (?:solo|sólo) (?:entonces|después)|antes (?:de(?:l)?(?: cada| hacer| que)?|que)',
      after:
        'después de(?:l)?(?: cada)?|cuando(?: (?:cambies|modifiques|edites|actualices))?|(?:cada vez|siempre) que(?: (?:cambies|modifiques|edites|actualices))?|tras|si (?:cambias|modificas|editas)|al (?:cambiar|modificar|editar|actualizar)',
      use: 'us(?:a|ar|es|e|en|amos)|utili(?:za|zar|ces|ce)|prefiere',
      run: 'ejecut(?:a|ar|es|e)|corre(?:r)?|lanza(?:r)?|haz|pasa(?:r)?',
      change:
        'actuali(?:za|zar|ces|zaste)|cambi(?:a|ar|es|aste)|modific(?:a|ar|aste)|modifiques|edit(?:a|ar|es|aste)|toc(?:a|ar)|toques|sub(?:e|ir|iste)|añad(?:e|ir)|agreg(?:a|ar)|sincroniza(?:r)?|regenera(?:r)?',
      but: 'sino|pero',
      also: 'también|además|a la vez',
      sync: 'cada ¤+ (?:necesita|debe tener) (?:su|un|una)(?= ¤)|sincronizad[oa]s|misma versión|van juntos|juntos',
      allowedBehind: 'como (?:mucho|máximo)|a lo sumo|basta',
      ours: '(?:usamos|utilizamos)|(?:aquí|en este (?:repo|repositorio|proyecto))',
      open: 'quizás?|excepto|salvo|tal vez|podríamos|podemos|deberíamos|creo que|pienso|quiero|quisiera|voy a|por ahora|esta vez|por el momento|y si|por qué(?! no (?:actualizaste|ejecutaste))|cómo',
      report:
        '(?:eso|esto|él|ella|ci|el script|yo) (?:\\S+ )?(?:siempre|nunca)|(?:siempre|nunca) (?:falla|funciona|he)',
    },
  },
  portuguese: {
    words: {
      lasting:
        'de agora em diante|a partir de agora|daqui (?:para|pra) frente|no futuro|da próxima vez|na próxima vez|toda vez|todas as vezes|cada vez|sempre que|lição aprendida|regra ?:|como regra|por via de regra|lembre-se:|(?:antes|depois) de cada',
      always: '(?<!como )sempre(?! que)',
      never: 'nunca|jamais|em hipótese alguma|de jeito nenhum',
      blame:
        'você (?:se )?(?:esqueceu|pulou|deixou)(?: de novo| também)?(?: de)?|esqueceu(?: de)?|você não (?:atualizou|rodou|executou|mudou|alterou)|você deveria ter|faltou|por que você não (?:atualizou|rodou)',
      stale: 'não foi (?:atualizad[oa]|alterad[oa])|(?:está|ficou|continua) (?:desatualizad[oa]|com a versão antiga)',
      remind:
        'não (?:se )?esque(?:ça|ce)(?: de)?|lembr(?:e|a)(?:-se)?(?: de)?|também (?:precisa|tem que|deve)|precisa também',
      ensure: 'certifique-se(?: de)?(?: que)?|garanta(?: que)?|tenha certeza',
      not: 'não|em vez de|ao invés de|no lugar de|evite|pare de',
      without: 'sem(?: antes)?',
      before: 'e só (?:então|depois)|antes (?:de|do|da)(?: cada| fazer| dar)?|antes que',
      after:
        'depois (?:de|do|da)(?: cada)?|após|quando(?: (?:mudar|alterar|editar|você))*|sempre que|toda vez que|se (?:mudar|alterar|editar)|ao (?:mudar|alterar|editar|atualizar)',
      use: 'us(?:e|a|ar|amos)|utiliz(?:e|a|ar)|prefira',
      run: 'rod(?:e|a|ar)|execut(?:e|a|ar)|roda|faça|chame|passe',
      change:
        'atuali(?:ze|zar|za|zou)|mud(?:e|ar|a|ou)|alter(?:e|ar|a|ou)|edit(?:e|ar|a|ou)|mex(?:a|er)|modifi(?:que|car)|adicion(?:e|ar)|sincroni(?:ze|zar)|suba',
      but: 'mas|e sim',
      also: 'também|junto|ao mesmo tempo',
      sync: 'cada ¤+ (?:precisa de|precisa ter|deve ter) (?:seu|sua|um|uma)(?= ¤)|sincronizad[oa]s|em sincronia|mesma versão|andam juntos',
      allowedBehind: 'no máximo|basta',
      ours: '(?:usamos|a gente usa|utilizamos)|(?:aqui|neste (?:repo|repositório|projeto))',
      open: 'talvez|exceto|podemos|poderíamos|devemos|será que|acho que|quero|gostaria|vou|por enquanto|desta vez|por ora|e se|por que(?! você não)|como',
      report: '(?:isso|ele|ela|ci|o script|eu) (?:\\S+ )?(?:sempre|nunca)|(?:sempre|nunca) (?:falha|funciona)',
    },
  },
  chinese: {
    isUnspaced: true,
    words: {
      lasting:
        '以后|今后|从现在(?:开始|起)|从今(?:以后|往后)|下次|下一次|每次|教训|经验教训|规则[:：]|记住[:：,，]|牢记|一律|务必',
      always: '总是|始终|一定要|必须|永远要',
      never: '永远不要|千万不要|绝不(?:要|能|可以)?|切勿|千万别|绝对不(?:要|能)|从不|再也不要|不允许|禁止',
      blame:
        '你(?:又|还|再次)?(?:忘记|忘了|漏了|遗漏|没有?(?:更新|运行|修改|同步|执行))(?:了)?|又忘了|为什么没(?:有)?(?:更新|运行)',
      stale: '(?:没有|没|未)(?:被)?(?:更新|同步|修改)|还是旧(?:的|版)|已经过期|过时了|不同步',
      remind: '别忘(?:了|记)?|不要忘(?:了|记)|记得|也(?:要|需要|得|必须|应该)|还(?:要|需要|得)',
      ensure: '确保|请确认',
      not: '不要(?:再)?用?|别(?:再)?用?|而不是|不是|不用|不能|避免|禁用|代替|不(?:应该|应|该)',
      without: '没有?(?:先)?(?=运行|执行)',
      before: '再(?=\\s*¤)',
      after: '当(?:你)?|如果(?:你)?|只要|每当|改(?:了|完|动)',
      use: '使用|要用|请用|改用|用',
      run: '运行|执行|跑(?:一下|一遍)?|先(?:跑|运行|执行)?|调用|加上',
      change: '更新|修改|改|编辑|同步|升级|提升|动|碰|手动(?:改|编辑|修改)',
      but: '而是|但',
      also: '也|同时|一起|还要',
      sync: '保持(?:一致|同步)|同步更新|一起(?:改|更新)|版本(?:一致|相同)',
      ours: '我们(?:只|都|一直)?(?:用|使用)|(?:这个|本)(?:项目|仓库)(?:里|中)?(?:只)?用?',
      open: '也许|除了|可能|要不要|是不是|能不能|可以吗|吗|我想|我觉得|暂时|这次|先别|目前|为什么(?!没)|怎么|如何',
      report: '(?:它|他|她|脚本|CI)(?:总是|一直|从不)',
      beforeBehind: '(?:之前|以前|前)',
      afterBehind: '(?:之后|以后|后|的时候|时)',
      notBehind: '(?:是错的|不对|不行)',
    },
  },
  japanese: {
    isUnspaced: true,
    words: {
      lasting: '今後|これから(?:は)?|次回|次から(?:は)?|毎回|ルール[:：]|教訓|覚えておいて|今度から(?:は)?',
      always: '必ず|常に|いつも',
      never: '絶対に|決して|二度と',
      blame:
        '(?:を|の更新を|も|の)?(?:忘れて(?:います|いる|ます|る|いました|た)|忘れました|更新(?:し忘れ|されていません|していません|してない)|実行し忘れ)|なぜ.{0,12}(?:更新|実行)しなかった',
      stale: 'が(?:更新されて(?:いない|いません|ない|ません)|古い(?:まま)?)',
      remind: '(?:を|も|の更新を)?忘れない(?:で|よう)|忘れずに|も(?:更新|変更|実行)(?:が必要|すること)|必要があります',
      ensure: '確認して|ようにして',
      use: 'を使(?:って|う|います)|使用し',
      run: 'を実行|を走らせ|実行し',
      change: 'を(?:更新|変更|編集|修正)|更新し',
      but: '代わりに',
      also: 'も(?=更新|変更|実行)|一緒に|同時に',
      sync: '同期|一致させ|揃え',
      ours: 'この(?:プロジェクト|リポジトリ)(?:では)?|私たちは|うちは|ここでは',
      open: 'かもしれ|以外|でしょうか|ですか|ましょうか|と思い|とりあえず|今回(?:だけ|は)|なぜ(?!.{0,12}しなかった)|どうして|どうやって',
      notBehind:
        '(?:ではなく|じゃなくて?|の代わりに|は?(?:使わない|使用しない|使うな|禁止|編集しない|変更しない|触らない)|に(?:直接)?(?:プッシュ|push|コミット)しない|を(?:直接)?(?:使わない|編集しない|変更しない|触らない|実行しない)|しない(?:で|こと))',
      beforeBehind: '(?:の|する|をする)?前に',
      afterBehind:
        '(?:(?:を(?:変更|更新|編集|修正|変え))(?:したら|した(?:後|とき|時|ら)(?:に|は)?|する(?:とき|時|たびに|場合)(?:は|に)?|たら)|の後(?:に|で))',
    },
  },
};

/** Words for deeds of version control, in any form and language, with the command that does them. */
export const DEEDS: readonly (readonly [words: string, command: string])[] = [
  ['merg(?:e|es|ed|ing) (?:(?:a|any|the|your|my|these) )?(?:pull[- ]?requests?|prs?|mrs?)', 'gh pr merge'],
  ['force[- ]?push(?:es|ed|ing)?|push(?:ing)? (?:with )?force|强制推送|強制プッシュ', 'git push --force'],
  ['push(?:es|ed|ing|t|st|e|en|er|ez|ear|es)?|pusher|pushen|gepusht|pouss(?:e|er|ez)|推送|プッシュ', 'git push'],
  ['comm?it(?:s|t?(?:ed|ing|en|est|et|er|es|ez|e|ear|ar))?|提交|コミット', 'git commit'],
  [
    '(?:open(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|submit(?:ting)?|rais(?:e|ing)|abrir|ouvrir|crear|criar|öffnen|erstellen)? ?(?:a |an |any |each |every |the |une |un |uma |um |el |einen? )?(?:pull[- ]?requests?|prs?|merge requests?|mrs?|プルリク(?:エスト)?)',
    'gh pr create',
  ],
  ['rebas(?:e|es|ed|ing)', 'git rebase'],
  ['tag(?:s|ged|ging)? (?:a )?(?:releases?|versions?)', 'git tag'],
  ['pull(?:s|ed|ing)?(?! ?-?request)', 'git pull'],
];

/** Deeds without a command of their own: the words of the conversation tell when they are near. */
export const OTHER_DEEDS: readonly (readonly [words: string, keyword: string])[] = [
  ['deploy(?:s|ed|ing|ment|ments|en|er|ar|ear)?|déployer|desplegar|部署|デプロイ', 'deploy'],
  ['releas(?:e|es|ed|ing|en)|发布|リリース', 'release'],
  ['publish(?:es|ed|ing)?|veröffentlich\\w+|publi(?:er|car|que)|公開', 'publish'],
  ['merg(?:e|es|ed|ing|en|er|ear)|mesclar|合并|マージ', 'merge'],
];

/** Words that may follow the name of a program in a sentence and are no part of the command. */
export const NO_PART =
  "a an the this that these those it its our your my his their and or but so then than to in on at of by for from with without before after when whenever once while if unless until because since as is are was were be been not no never always instead rather please directly again here there now first only too also either anymore yourself everywhere every each any all some just even still already over under both sure something anything everything things me us you we i he she they which who what why how where can could should would will must may might do does did done has have had tests changes commands? tool cli flags? options? scripts? targets? files? exactly explicitly manually locally afterwards beforehand and/or vs via per like commits committing pushing pushes merging pr prs works fails prior ahead upon failed passes succeeds und oder aber statt nicht kein keine vor vorher nach nachdem bevor bitte immer nie niemals sondern auch hier wenn dann du zu zum aus ausführen benutzen verwenden laufen lassen jedem jeder et ou mais pas avant après toujours jamais ici plutôt quand aussi d'abord puis à y o pero no antes después siempre nunca aquí cuando también primero e ou mas não depois sempre aqui quando também primeiro em de del do da la le el les los las un une uno una um uma que por para pour con avec com sense progress use new it's needs? requires hooks? jobs? steps? stages? workflows? pipelines? against mehr plus together hand went goes came passed ran ohne sans sin sem wieder zuerst erst danach";

/** Programs whose names are English words: a command only where another word of it follows. */
export const SENTENCE_PROGRAMS =
  'make go just task find file open code service free more less head tail sort cut join split patch install test which man watch time at date tree column strings fold delta kill touch link type source set export read wait echo id host dig ant mage hatch flask node dart swift rush turbo nest next rails expo';

/** What names of files end with. */
export const EXTENSIONS =
  'json jsonc json5 yaml yml toml md mdx rst adoc ts tsx js jsx mjs cjs mts cts py pyi rs go mod sum java kt kts swift rb erb php c h cc cpp hpp cs sql prisma proto graphql gql html css scss less lock txt cfg ini conf env sh bash xml gradle csv tf tfvars lua ex exs vue svelte astro snap properties plist csproj ipynb zig hs ml scala dart svg po pot xlf strings arb hcl nix cmake mk tmpl example sample';

/** Words for kinds of files, and what the paths of such files have in them. */
export const FILE_KINDS: readonly (readonly [words: string, parts: string])[] = [
  ['test tests testfälle', 'test tests spec specs'],
  ['docs documentation doku dokumentation documentación documentação', 'docs doc readme'],
  ['types typings', 'types d'],
  ['changelog', 'changelog changes'],
  ['readme', 'readme'],
  ['migration migrations', 'migration migrations'],
  ['snapshot snapshots', 'snap snapshots'],
  [
    'translation translations übersetzung übersetzungen traduction traductions traducciones traduções',
    'locales locale i18n lang translations messages',
  ],
];
