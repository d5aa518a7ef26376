/**
 * How text that comes from outside speaks to who reads it. `attack`: no program speaks like that, and `command`: one that
 * fetches, sends or destroys; the lesson then waits for a person. `address`: programs do say it ("please run …"), it is
 * only not repeated. A list is never complete: what is quoted is also short, one line, and of one script, whatever it says.
 */

import { once } from '../../../base/bounded-memory.ts';

export interface PoisonShape {
  readonly kind: 'attack' | 'command' | 'address';
  readonly pattern: RegExp;
}

/** In the languages that most of such texts are written in; stems, because they bend their words. */
const IGNORE =
  'ignor\\p{L}*|disregard\\p{L}*|forget|overrid\\p{L}*|overrul\\p{L}*|vergiss|vergessen|missacht\\p{L}*|oubli\\p{L}*|olvid\\p{L}*|dimentic\\p{L}*|esque[cç]\\p{L}*|negeer\\p{L}*|vergeet|zignoruj\\p{L}*|zapomnij|glöm|bortse|glem|unohda|yok ?say\\p{L}*|görmezden|unut|bỏ qua|abaikan|lupakan|zapome[nň]\\p{L}*|ignorujte|hagyd figyelmen|uitați|balewalain|игнорир\\p{L}*|забудь\\p{L}*|ігнору\\p{L}*|αγνόησ\\p{L}*|αγνοήστε|تجاهل\\p{L}*|התעלם|अनदेखा|ละเว้น|เพิกเฉย|忽略|忽視|无视|無視|忘记|忘記|무시';
const ORDERS =
  'instru[cçkt]\\p{L}*|anweisung\\p{L}*|vorgaben|directi\\p{L}*|rules?|regeln?|regels|regler|reglas?|prompts?|guidelines?|polic(?:y|ies)|consignes?|órdenes|ordenes|istruzion\\p{L}*|polece\\p{L}*|talimat\\p{L}*|kural\\p{L}*|ohjee\\p{L}*|hướng dẫn|chỉ dẫn|perintah|pokyny|utasítás\\p{L}*|panuto|tagubilin|инструкц\\p{L}*|указани\\p{L}*|правил\\p{L}*|інструкці\\p{L}*|οδηγί\\p{L}*|تعليمات\\p{L}*|הוראות|निर्देश\\p{L}*|คำสั่ง|คำแนะนำ|指令|指示|规则|規則|說明|说明|지시|명령|지침';
const NEAR = '[^\\n]{0,60}?';
const READER =
  '(?:ai|llm|language model|assistant|coding agent|ai agent|agent|claude|chatgpt|gpt-?\\d*|copilot|gemini|codex|model)';

const attacks: readonly string[] = [
  `(?:${IGNORE})${NEAR}(?:${ORDERS})`,
  `(?:${ORDERS})${NEAR}(?:${IGNORE})`,
  // Roles and the marks that chat templates know.
  '(?:^|[\\s>"\'`*#\\[(])(?:system|assistant|developer|human|user|tool)\\s*(?:message|prompt|note|override|update)?\\s*[:：]\\s*(?:you|i|the|please|ignore|run|do|from|new|always|never|important|execute|curl|send|this)\\b',
  '<\\|[\\w-]{2,30}\\|>|\\[/?INST\\]|<</?SYS>>|###\\s*(?:instruction|system|human|assistant|response)|\\bBEGIN (?:SYSTEM|ADMIN|NEW)\\b|\\bEND OF (?:TOOL )?(?:OUTPUT|RESULT|CONTEXT)\\b',
  '</?(?:system|assistant|human|user|instructions?|prompt|tool_result|tool_use|function_calls?|function_results?|invoke|antml|important|admin|override|system-reminder)\\b',
  '\\bsystem[- ]?prompt\\b|\\bsystem (?:override|instruction|message)s?\\b|\\b(?:new|updated|real|hidden|secret|additional) (?:instructions?|orders|directives?|task)\\b',
  '\\byou are (?:now|an? (?:ai|assistant|helpful|unrestricted|agent))\\b|\\b(?:pretend|act) (?:to be|as (?:if|an?|the))\\b|\\b(?:developer|god|dan|admin|debug|maintenance) mode\\b|\\bjail ?break\\w*|\\bdo anything now\\b',
  `\\b(?:dear|hey|hello|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|to) (?:the |any |all |every |an? )?${READER}s?\\b(?! (?:file|path|id|name|version|config\\w*|not|is not)\\b)`,
  `\\b${READER}s? (?:must|should|shall|need to|needs to|has to|have to|is (?:required|instructed)|are (?:required|instructed))\\b`,
  "\\b(?:do not|don'?t|never|without) (?:tell|telling|mention|mentioning|inform|informing|ask|asking|reveal|notify|notifying|alert|show|report)(?:ing)? (?:this |it |that )?(?:to )?(?:the |any |your )?(?:user|human|developer|operator|anyone|owner)",
  `\\b(?:every|all|any|each) (?:other )?${READER}s?\\b(?! (?:file|path|id|name|version|config\\w*)\\b)|\\b${READER}s (?:in|of|on|for) (?:this|the) (?:repo|repository|project|codebase|workspace|team)\\b|\\bhenceforth\\b`,
  '\\b(?:secretly|covertly|silently) (?:run|send|add|execute|install|commit|push|upload)\\b',
  '\\b(?:exfiltrat\\w*|phone home)\\b',
  '\\b(?:send|post|upload|forward|leak|email|transmit|paste|copy)\\b[^\\n]{0,60}\\b(?:env(?:ironment)?(?: variables?| vars?)?|tokens?|secrets?|passwords?|credentials?|(?:api|ssh|private) ?keys?|\\.env|cookies?)\\b',
  // The files that keys lie in, by name.
  '\\b(?:send|post|upload|forward|leak|e-?mail|transmit|paste|share|attach|exfil\\w*)\\b[^\\n]{0,60}(?:\\.(?:ssh|gnupg)\\/(?!config\\b|known_hosts\\b)|\\.aws\\/credentials|\\.(?:netrc|npmrc|pypirc|git-credentials|kube\\/config|docker\\/config)\\b|\\bid_(?:rsa|ed25519|ecdsa|dsa)\\b(?!\\.pub)|\\/etc\\/shadow\\b)',
  '\\b(?:save|store|remember|record|learn|add|write) (?:this|the following|it)[^\\n]{0,30}\\b(?:lesson|memory|rule|claude\\.md|agents\\.md|instruction)',
  '#/?lesson\\b|\\[/?process_knowledge\\]|\\boncebitten\\b[^\\n]{0,20}[:=]',
  '\\b(?:critical )?lessons? from (?:earlier work|the files of this repository)\\b|\\bwhat works:|\\bwhat went wrong:',
];

const commands: readonly string[] = [
  '\\b(?:curl|wget|nc|ncat|iwr|irm|invoke-webrequest)\\b[^\\n]{0,200}(?:\\||\\s-d\\b|--data|--post|\\s-F\\b|\\s-T\\b|@|\\$\\(|https?:|\\$\\{?\\w)',
  '\\|\\s*(?:sudo )?(?:ba|z|da|k)?sh\\b|\\|\\s*(?:python3?|node|perl|ruby|iex)\\b|\\bbase64\\b[^\\n]{0,60}(?:-d|-D|--decode|\\|)|\\|\\s*base64\\b',
  '\\beval\\b[^\\n]{0,20}(?:\\$\\(|`|\\()|\\$\\(\\s*(?:curl|wget|echo|printf|base64|xxd)\\b|<\\(\\s*(?:curl|wget)\\b|\\bbash -c\\b|\\bsh -c\\b|\\biex\\s*\\(|powershell\\b[^\\n]{0,40}-e',
  '/dev/tcp/|\\b(?:printenv|env)\\s*[|>]|\\brm\\s+-[a-z]*r[a-z]*f|\\brm\\s+-[a-z]*f[a-z]*r|\\bgit push\\b[^\\n]{0,60}(?:--force|\\s-f\\b)|--no-verify\\b|--dangerously|chmod\\s+(?:-R\\s+)?777',
  '-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE)',
];

const addresses: readonly string[] = [
  '\\byou (?:must|should|need to|have to|will need|ought to|can now|may want to|might want to|want to|are required)\\b',
  '\\b(?:please|kindly|pls)\\b',
  '\\b(?:run|execute|type|enter|try|use|do|paste|command|solution|fix|hint|tip|action required|next steps?|workaround|instead|important|attention|warning to)\\s*[:：]\\s*\\S',
  '\\b(?:run|execute|type|enter|paste|copy) (?:the (?:following|command|script)|this|these|that|it|again with|as root|with sudo)\\b',
  "\\b(?:try|consider|start|begin) (?:running|executing|typing|installing|using|adding|by)\\b|\\bmake sure (?:to|you)\\b|\\bbe sure to\\b|\\bremember to\\b|\\bdon'?t forget\\b|\\bfrom now on\\b|\\bto (?:fix|solve|resolve|continue|proceed)\\b[^\\n]{0,40},",
  '(?:^|[.!;:]\\s*)(?:use|pass|add|set|supply|give|specify)\\s+["\'`]?(?:--?[\\w-]+\\s+)?[\\w.-]*=?["\'`]?(?:[~/]|\\.\\.?/|\\w+=|\\$)',
  '(?:^|[.!;:]\\s*|["\'`(]|\\band |\\bthen )(?:run|execute|install|download|visit|open|click|always|never|upgrade|sudo)\\s+[\\w`\'"./$-]',
  '\\b(?:bitte|führen? (?:sie|du)?|du musst|sie müssen|veuillez|vous devez|tu dois|exécute[zr]|lancez|por favor|debes?|tienes que|ejecut[ae]|deve[s]?|você deve|execute o|devi|esegui|per favore|je moet|u moet|voer uit|alstublieft|proszę|musisz|uruchom|lütfen|çalıştır\\w*|du måste|kör|vänligen|musíte|prosím|spusťte|futtassa|kérjük|trebuie să|rulați|hãy|vui lòng|silakan|jalankan|suorita|ole hyvä)\\b',
];

const listShapes = once((): readonly PoisonShape[] => [
  ...attacks.map((source) => ({ kind: 'attack', pattern: new RegExp(source, 'iu') }) as const),
  ...commands.map((source) => ({ kind: 'command', pattern: new RegExp(source, 'iu') }) as const),
  ...addresses.map((source) => ({ kind: 'address', pattern: new RegExp(source, 'iu') }) as const),
]);

/** Letters that look like others, and figures that stand for them: for reading only, nothing is shown in this form. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', ԁ: 'd', ɡ: 'g', ո: 'n', һ: 'h' },
  ...{
    α: 'a',
    ε: 'e',
    ι: 'i',
    ο: 'o',
    ρ: 'p',
    ν: 'v',
    υ: 'u',
    τ: 't',
    κ: 'k',
    ı: 'i',
    ⅼ: 'l',
    ꞁ: 'l',
    ꜱ: 's',
    ʀ: 'r',
    ɴ: 'n',
    ᴏ: 'o',
    ɪ: 'i',
  },
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i', '|': 'i' },
};

const COMPACT =
  /(?:ignore|disregard|forget|override)(?:all|any|the|my|your|every|these|those|of)*(?:previous|prior|above|earlier|preceding|past|former|existing|other)(?:instruction|rule|prompt|direction|message|context|order|command|guideline)|systemprompt|youarenow|donottelltheuser/;

/** The worst that a text holds. Split by signs, spelled with look-alikes or in figures, it is the same text. */
export function findPoison(text: string): PoisonShape['kind'] | undefined {
  const plain = text.normalize('NFKC');
  const kinds = listShapes()
    .filter(({ pattern }) => pattern.test(plain))
    .map(({ kind }) => kind);
  if (kinds.includes('attack') || COMPACT.test(toLetters(plain))) return 'attack';
  return kinds[0];
}

/** Whether that is the worst: the rest need not be looked for. */
export function isAttack(text: string): boolean {
  const plain = text.normalize('NFKC');
  return (
    listShapes().some(({ kind, pattern }) => kind === 'attack' && pattern.test(plain)) || COMPACT.test(toLetters(plain))
  );
}

function toLetters(text: string): string {
  const low = text.toLowerCase().normalize('NFKD');
  return low.replace(/[^a-z]/gu, (char) => ALIKE[char] ?? '');
}
