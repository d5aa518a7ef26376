/** The sentences of a prompt that are the user's own words. */

const MAX_CHARS = 800;
/** Of a message in which a text to write is looked for: the search takes longer with the square of the length. */
const MAX_SEARCHED_CHARS = 4000;
const MAX_LINES = 12;
const MAX_SENTENCE_CHARS = 300;

/** A log, a command with its prompt, a list of findings, a diff, a quote: not the user's own words. */
const PASTED =
  /^[ \t]*(?:(?:[$❯➜>%|]|#{1,6})\s|at \S+ ?\(|\S*\w[./]\w\S*:(?: line )?\d+|\[[^\]]*\]\s|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:error|fatal|warning|panic|usage|exception)\b(?: ?\S{1,30})?:|traceback\b|npm (?:err|error|warn)|=== |--- |\+{3} |@@ |diff --git|<\/?[a-z][\w-]*>|\{|\d+[.)]\s)/i;
/** `~/work (main) $ make`, `me@box:/srv# ls`, `C:\\work> dir`: a prompt of a shell, also in the middle of a line. */
const PROMPT =
  /(?:(?:[\w.-]+@[\w.-]+[: ])?(?:~|[A-Z]:\\|\/\w)[^\s$#%❯>]*|[\w.-]+@[\w.-]+ \S+|\[[^\]\n]+\])(?: \([^)\n]*\))?(?: ?[$#%❯➜✗]|>) .*/;
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;

export function toOwnSentences(text: string): readonly string[] {
  const own = dropPasted(cutContent(text.replaceAll(FENCED, '\n\n'))).trim();
  if (own.length > MAX_CHARS || own.includes('```') || own.split('\n').length > MAX_LINES) return [];
  return own
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(QUOTED, '"…"')
    .replaceAll(UNSPACED, '$1 ')
    .replaceAll(SPACED, '$1 ')
    .split(
      /(?:(?<=[^\s.][.!?]+)|(?<=\s[!?])|(?<=\s[:;]-?[()/DP]))(?<!\/\.{3}|\b(?:e\.g|i\.e|vs|etc|z\.b|bzw|p\.ex|ca)\.)\s+|(?<=[。！？])\s*|\n+|(?<=\s)(?=\d\) )/,
    )
    .map((sentence) => sentence.replace(/^(?:[-*•]|\d\))\s+/, '').trim())
    .filter((sentence) => sentence !== '' && sentence.length <= MAX_SENTENCE_CHARS);
}

/** From a pasted line to the next empty one: nobody can tell where in between the user goes on. */
function dropPasted(text: string): string {
  return text
    .split(/\n[ \t]*\n/)
    .map((block) => {
      const lines = block.split('\n');
      const from = lines.findIndex((line) => PASTED.test(line) || PROMPT.test(line));
      if (from < 0) return block;
      const before = PASTED.test(lines[from] ?? '') ? '' : lines[from]?.replace(PROMPT, '');
      return [...lines.slice(0, from), before].join('\n');
    })
    .join('\n\n');
}

/** What somebody else says to people. */
const QUOTED = /(?<!: ?|`[^`\n]*)"[^"\n]*\b(?:please|always|never|must|you|we|the)\b[^"\n]*"/gi;

const WRITING =
  'add|append|prepend|insert|put|paste|write|include|copy|document|mention|state|translate|replace|update|change|edit|create|set|füge|schreib(?:e)?|ergänze|trag(?:e)?|setz(?:e)?|übernimm|ajoute[rz]?|écri[st]|insère|mets|colle|remplace|traduis|añade|agrega|escribe|inserta|pon|pega|traduce|adicione|escreva|insira|coloque|cole|aggiungi|scrivi|inserisci|traduci|voeg|schrijf|vertaal|добавь|напиши|переведи';
const COURTESY =
  '(?:(?:please|can you|could you|would you|now|then|and|also|next|ok|okay|bitte|kannst du|jetzt|dann|auch|und|peux-tu|maintenant|puis|et|puedes|ahora|por favor|y|agora|e),? +)*';
const TO_COLON = '(?:[^\\n.!?:：]|[.!?:](?=[^\\s]))*';
/** A request to write something, up to the colon behind which the text to write stands. */
const REQUEST = new RegExp(`(?:^|[.!?,] +)${COURTESY}(?:${WRITING})(?![\\p{L}-])${TO_COLON}[:：](?=\\s|$)`, 'gimu');
/** A page or a mail that somebody needs, up to the colon behind which its text stands. */
const DOCUMENT =
  /(?<![\p{L}-])(?:need|want|like|prepare|draft|compose|make|create|write|do)(?![\p{L}-])[^.:\n]* (?:page|guide|run ?book|play ?book|faq|article|post|slides?|deck|talk|presentation|e?-?mail|announcement|newsletter|tutorial|handbook|wiki|chapter|section|paragraph|intro|summary|poster|flyer|ticket|issue|story)(?![\p{L}-])[^:\n]*:(?=\s)/giu;
/** A text of a program or a commit, shown behind a colon. */
const SHOWN =
  /(?:should (?:be|say|read)|(?:points?|topics?|items|things|bullets) (?:to|for|it|that)(?: \p{L}+){1,3}|^\W*(?:contents?|text|body|copy|wording|bullets?|points?|topics?|keywords|outline|agenda)|(?<![\p{L}-])(?:message|text|title|description|warning|hint|label|banner|placeholder|tooltip|heading|subject|paragraph|docstring|prompt|verbatim|word for word)(?: \p{L}+){0,3})\s*[:：](?=\s|$)/gimu;
/** A block behind a colon: somebody else's words, or a text, if the line before it does not say that rules follow. */
const BLOCK = new RegExp(`^${TO_COLON}[:：][ \\t]*\\n`, 'gimu');
const HEADING =
  /(?<![\p{L}])(?:rules?|remember|lessons?|from now on|important|note|reminder|future|conventions?|things?|always|never|follow|keep in mind|merk|regeln?|wichtig|règles?|reglas?|regras?|regole|regels?|правила?)(?![\p{L}])|规则|记住|ルール|覚え|규칙/iu;
const ELSEWHERE =
  /(?<![\p{L}])(?:says?|said|wrote|writes|reads?|think|what|generate|summari[sz]e|review|quotes?)(?![\p{L}])/iu;
/** The agent's own memory is no file, and behind these words the user states a rule. */
const STATING =
  /\bmemor|\bnotes?\b|\byour (?:list|rules|instructions)|\blist you keep|(?:remember|learn(?:ed|t)|from now on|future|important|reminder|one (?:more )?thing(?: though)?)\s*[:：]$/i;

/** Text that the agent is to write into a file is no rule of the user, and nobody can tell where it ends. */
function cutContent(text: string): string {
  if (text.length > MAX_SEARCHED_CHARS) return text;
  const blocks = [...text.matchAll(BLOCK)].filter(([words]) => !HEADING.test(words) || ELSEWHERE.test(words));
  const asked = [REQUEST, DOCUMENT, SHOWN].flatMap((regex) => [...text.matchAll(regex)]);
  const starts = [...asked.filter(([words]) => !STATING.test(words)), ...blocks].map(
    ({ index, 0: words }) => index + words.length,
  );
  return starts.length === 0 ? text : text.slice(0, Math.min(...starts));
}

/** Chinese, Japanese and Korean signs beside Latin words: names are found between blanks. */
const SIGNS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const UNSPACED = new RegExp(`([${SIGNS}])(?=[\\w\`./@-])`, 'gu');
const SPACED = new RegExp(`([\\w\`/-])(?=[${SIGNS}])`, 'gu');
