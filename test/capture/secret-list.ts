/**
 * Lists of realistic credentials and of harmless texts that look like them (`test/fixtures/secrets`). A list names each
 * secret by its form only (`{pw}`, `{alnum36}`): the values are drawn here, so no secret ever stands in the repository.
 * Rows are separated by `--`; in a row, the call's command stands before a line `>>>` and its output behind it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../make-random.ts';

export interface SecretRow {
  /** The row as the list has it: names the row in messages. */
  readonly form: string;
  readonly command: string;
  readonly output: string;
  /** The texts that must not be found anywhere: the values, and their base64, URL and JSON forms. */
  readonly hidden: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../fixtures/secrets');

export function readSecretRows(list: string, seed: number): readonly SecretRow[] {
  const random = makeRandom(seed);
  return readList(list).map((form) => {
    const values = new Map<string, Value>();
    const text = form.replace(FORM, (_, name: string) => {
      const value = values.get(name) ?? makeValue(name, random, values);
      values.set(name, value);
      return value.shown;
    });
    const [command, output] = splitRow(text);
    return { form, command, output, hidden: [...values.values()].flatMap(({ hidden }) => hidden.flatMap(toForms)) };
  });
}

/** A harmless text, as the command of a call and as its output. */
export function readNearMisses(list: string): readonly string[] {
  return readList(list);
}

function readList(list: string): readonly string[] {
  const text = readFileSync(join(FOLDER, `${list}.txt`), 'utf8').replace(/\n$/, '');
  return text.split('\n--\n');
}

function splitRow(text: string): readonly [command: string, output: string] {
  const at = `\n${text}`.indexOf('\n>>>\n');
  if (at < 0) return [text, 'ok'];
  return [text.slice(0, Math.max(0, at - 1)) || 'cat notes.txt', text.slice(at + 4)];
}

interface Value {
  readonly shown: string;
  readonly hidden: readonly string[];
}

const FORM = /\{([a-z]\w*|pem:[A-Z ]+|b64:\w+)\}/g;
const [UPPER, DIGITS, HEX] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '0123456789abcdef'];
const ALNUM = `${UPPER}${UPPER.toLowerCase()}${DIGITS}`;
const ALPHABETS: Readonly<Record<string, string>> = {
  alnum: ALNUM,
  hex: HEX,
  upper: `${UPPER}${DIGITS}`,
  digits: DIGITS,
  b64_: `${ALNUM}+/`,
  b64c_: `${ALNUM}./`,
  b64url: `${ALNUM}-_`,
  b32_: `${UPPER}234567`,
};

type Random = () => number;

function makeValue(name: string, random: Random, known: Map<string, Value>): Value {
  const [, kind = '', length = ''] = /^(.*?)(\d+)$/.exec(name) ?? [];
  const alphabet = ALPHABETS[kind];
  if (alphabet !== undefined) return toValue(draw(alphabet, Number(length), random));
  if (name.startsWith('pem:')) return makePem(name.slice(4), '\n', random);
  if (name.startsWith('b64:')) {
    const inner = known.get(name.slice(4)) ?? makeValue(name.slice(4), random, known);
    return toValue(toBase64(inner.shown), ...inner.hidden);
  }
  switch (name) {
    case 'pw':
      return toValue(makePassword(random));
    case 'pw4':
      return toValue([0, 1, 2, 3].map(() => draw(UPPER.toLowerCase(), 4, random)).join('-'));
    case 'word':
      return toValue(makeWord(4, random));
    case 'phrase': {
      const words = [makeWord(3, random), makeWord(3, random), makeWord(3, random)];
      return { shown: words.join(' '), hidden: words };
    }
    case 'pin':
      return toValue(draw('123456789', 5, random));
    case 'pin6':
      return toValue(draw('123456789', 6, random));
    case 'uuid':
      return toValue([8, 4, 4, 4, 12].map((count) => draw(HEX, count, random)).join('-'));
    case 'basic': {
      const password = makePassword(random);
      return toValue(toBase64(`bob:${password}`), password);
    }
    case 'jwt':
      return toValue(`eyJ${draw(ALNUM, 33, random)}.eyJ${draw(ALNUM, 60, random)}.${draw(ALNUM, 43, random)}`);
    case 'pemjson':
      return makePem('PRIVATE KEY', '\\n', random);
    default:
      throw new Error(`no such form of a secret: ${name}`);
  }
}

function toValue(shown: string, ...more: readonly string[]): Value {
  return { shown, hidden: [shown, ...more] };
}

/** As people and password managers make them: mixed letters and digits, most with one sign that a shell leaves alone. */
function makePassword(random: Random): string {
  const sign = ['', '_', '%', '+', '^', '!', '.', '~', '=', '@'][Math.floor(random() * 10)] ?? '';
  const [head, tail] = [draw(ALNUM, 5, random), draw(ALNUM, 4, random)];
  return `${draw(UPPER, 1, random)}${head}${draw('23456789', 1, random)}${sign}${tail}`;
}

/** Like a word of some language, but of none. */
function makeWord(syllables: number, random: Random): string {
  return Array.from({ length: syllables }, () => draw('bdfgjklmnprtvz', 1, random) + draw('aeiou', 1, random)).join('');
}

function makePem(kind: string, end: string, random: Random): Value {
  const body = [64, 64, 64, 40].map((count) => draw(`${ALNUM}+/`, count, random));
  return { shown: [`-----BEGIN ${kind}-----`, ...body, `-----END ${kind}-----`].join(end) + end, hidden: body };
}

function draw(alphabet: string, length: number, random: Random): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? '').join('');
}

function toForms(value: string): readonly string[] {
  const forms = [
    value,
    toBase64(value).replace(/=+$/, ''),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ];
  return [...new Set(forms)];
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Finds the hidden texts in a text; short ones only as whole words, because five digits stand in many ids. */
export function makeHiddenFinder(rows: readonly SecretRow[]): (text: string) => ReadonlySet<SecretRow> {
  const [byPiece, short] = [new Map<string, SecretRow>(), new Map<string, SecretRow>()];
  for (const row of rows)
    for (const value of row.hidden) {
      if (value.length < PIECE) short.set(value, row);
      for (let at = 0; at + PIECE <= value.length; at++) byPiece.set(value.slice(at, at + PIECE), row);
    }
  const shortBy = Map.groupBy(short, ([value]) => toKey(value, 0));
  const findBeginnings = makeBeginningFinder(new Set([...byPiece.keys(), ...short.keys()]));
  return (text) => {
    const found = new Set<SecretRow>();
    for (const at of findBeginnings(text)) {
      const row = byPiece.get(text.slice(at, at + PIECE));
      if (row !== undefined) found.add(row);
      for (const [value, owner] of shortBy.get(toKey(text, at)) ?? [])
        if (standsAlone(text, value, at)) found.add(owner);
    }
    return found;
  };
}

/** Where in a text three characters stand with which one of these begins: files have millions, and few of them do. */
export function makeBeginningFinder(wanted: ReadonlySet<string>): (text: string) => Iterable<number> {
  // A table of all keys would take longer to make than a short text takes to search.
  const mask = (1 << (wanted.size > 500 ? 21 : 12)) - 1;
  const begins = new Uint8Array(mask + 1);
  for (const one of wanted) begins[toKey(one, 0) & mask] = 1;
  return function* (text) {
    let key = ((text.charCodeAt(0) & 127) << 7) | (text.charCodeAt(1) & 127);
    for (let at = 0; at < text.length; at++) {
      key = ((key & 0x3fff) << 7) | (text.charCodeAt(at + 2) & 127);
      if (begins[key & mask] === 1) yield at;
    }
  };
}

/** A number for the next three characters. */
function toKey(text: string, at: number): number {
  const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  return ((one & 127) << 14) | ((two & 127) << 7) | (three & 127);
}

const PIECE = 10;
const WORD = /[A-Za-z0-9]/;
/** Also behind `-p`, to which many programs take the password joined. */
const BEGINS = /(?:^|[^A-Za-z0-9]|-p)$/;

function standsAlone(text: string, value: string, at: number): boolean {
  if (!text.startsWith(value, at)) return false;
  return BEGINS.test(text.slice(Math.max(0, at - 2), at)) && !WORD.test(text.charAt(at + value.length));
}
