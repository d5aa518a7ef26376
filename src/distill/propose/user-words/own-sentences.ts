/** The sentences of a prompt that are the user's own words. */

const MAX_CHARS = 600;
const MAX_LINES = 8;
const MAX_SENTENCE_CHARS = 240;

/** A log, a command with its prompt, a list of findings, a diff, a quote: not the user's own words. */
const PASTED =
  /^[ \t]*(?:[$❯➜>%#|]\s|at \S+ ?\(|\S*\w[./]\w\S*:\d+|\[[^\]]*\]\s|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:FAIL|PASS|ERROR|WARN(?:ING)?|INFO|DEBUG)\b|(?:error|fatal|warning|panic|usage|exception)\b.{0,30}:|traceback\b|npm (?:err|error)|=== |--- |\+{3} |@@ |diff --git|<\/?[a-z][\w-]*>|\{|\d+[.)]\s)/im;
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;

/** A message with pasted text is left out as a whole: nobody can tell where it ends. */
export function toOwnSentences(text: string): readonly string[] {
  const own = text.replaceAll(FENCED, '\n').trim();
  if (own.length > MAX_CHARS || own.includes('```') || PASTED.test(own)) return [];
  if (own.split('\n').length > MAX_LINES) return [];
  return own
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(UNSPACED, '$1 ')
    .replaceAll(SPACED, '$1 ')
    .split(/(?<=[^\s.][.!?]+)\s+(?!\S{1,3}\.)|(?<=[。！？])\s*|\n+/)
    .map((sentence) => sentence.replace(/^[-*•]\s+/, '').trim())
    .filter((sentence) => sentence !== '' && sentence.length <= MAX_SENTENCE_CHARS);
}

/** Chinese and Japanese signs beside Latin words: names are found between blanks. */
const SIGNS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const UNSPACED = new RegExp(`([${SIGNS}])(?=[\\w\`./@-])`, 'gu');
const SPACED = new RegExp(`([\\w\`/-])(?=[${SIGNS}])`, 'gu');
