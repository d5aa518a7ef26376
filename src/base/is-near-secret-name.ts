/**
 * Whether the name of an option or a variable says, or was meant to say, that its value is a secret: `--passwrd`. A call
 * that fails because of such a name is what lessons are made of, and its value is as secret as behind the right one.
 */

/** How many letters may be wrong; short words have too many neighbours. */
const NAMES: readonly (readonly [name: string, wrong: number])[] = [
  ['password', 2],
  ['passwd', 1],
  ['passphrase', 2],
  ['secret', 1],
  ['token', 1],
  ['apikey', 1],
  ['accesskey', 2],
  ['secretkey', 2],
  ['authtoken', 1],
  ['accesstoken', 2],
  ['credential', 2],
  ['credentials', 2],
  ['pw', 0],
  ['pswd', 0],
  ['otp', 0],
  ['totp', 0],
];
/** Words of their own. */
const OTHERS = new Set('passed passport paraphrase taken tokens tokenize secrets crossword passwords'.split(' '));
/** What is told then is where it is, or how many. */
const ABOUT =
  /[-_](?:id|ids|file|path|dir|name|stdin|count|limit|ttl|type|env|ref|arn|length|size|policy|helper|store)$/;
const OWNER = /^(?:pg|my|mysql|db|redis|smtp|root|user|admin)(?=\w{4})/;
/** No name of a secret is longer. */
const MAX_CHARS = 48;

export function isNearSecretName(name: string): boolean {
  const low = name.toLowerCase();
  if (low.length > MAX_CHARS || ABOUT.test(low)) return false;
  const parts = low.split(/[-_.]/);
  const ends = parts.map((_, i) => parts.slice(i).join(''));
  const words = [...ends, ...ends.map((end) => end.replace(OWNER, ''))];
  return words.some((word) => !OTHERS.has(word) && NAMES.some(([known, wrong]) => isNear(word, known, wrong)));
}

function isNear(word: string, known: string, wrong: number): boolean {
  if (word === known) return true;
  return Math.abs(word.length - known.length) <= wrong && countWrong(word, known) <= wrong;
}

/** Letters to add, drop, change, or swap with their neighbour. */
function countWrong(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const plain = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(isSwap ? Math.min(plain, at(before, j - 2) + 1) : plain);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
