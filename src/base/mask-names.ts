/**
 * Names in what a compiler or linter says of a place (`a.go:3:5: undefined: x`): there they are the user's own, and the same
 * mistake comes with others. Elsewhere names like these tell one message from another, and stay.
 */
import { MASK } from './mask-word.ts';

/** Not `10.0.0.1:80`, not `host.example:80`. */
const PLACE = /^(?=[^\s:(]*[A-Za-z])[^\s:(]*[./\\][^\s:(]*(?::\d+(?::|[:.,-]\d+)+|\(\d+(?:,\d+)*\):?)$/;
/** `fooBar`, `foo_bar`, `pkg.Name`, `*Name`, `call()`. */
const CODE_NAME = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|\w\.[A-Za-z_]|^[(*&[\]]*\*[A-Za-z]|\w\(\)/;
const CAPITALISED = /^[([*&]*[A-Z][A-Za-z0-9]*[a-z0-9][).,;]*$/;
const BEFORE_CAPITALISED = /^[a-z]+$/;
const BEFORE_NAME = /^(?:undefined|used|symbol|name):$|^(?:undeclared|unresolved)$/;
const AFTER_NAME = /^(?:re|un)?declared$|^undefined$/;
/** Of a linter: the rule, at either end. */
const FIRST_RULE = /^\w[\w.-]*:$/;
const LAST_RULE = /^\([a-z][\w-]*\)$/;
const EDGES = /^([([{*&]*)(.*?)([)\]},.:;]*)$/s;

/** Index of the word that is the place, of a diagnostic: `a.go:3:5: …`, `vet: a.go:3:5: …`. */
export function findPlace(words: readonly string[]): number | undefined {
  if (isPlace(words[0] ?? '')) return 0;
  return words[0]?.endsWith(':') && isPlace(words[1] ?? '') ? 1 : undefined;
}

function isPlace(word: string): boolean {
  const last = word.charCodeAt(word.length - 1);
  // A digit, a colon or a bracket: most messages end the question here.
  return ((last >= 48 && last <= 58) || last === 41) && PLACE.test(word);
}

/** The word at this index of a diagnostic. */
export function maskName(words: readonly string[], at: number, place: number): string {
  const [before = '', word = ''] = [words[at - 1], words[at]];
  if (word.includes(MASK) || (at === place + 1 ? FIRST_RULE : LAST_RULE).test(word)) return word;
  const isName =
    BEFORE_NAME.test(before) ||
    AFTER_NAME.test(words[at + 1] ?? '') ||
    CODE_NAME.test(word) ||
    (CAPITALISED.test(word) && BEFORE_CAPITALISED.test(before) && before !== 'error');
  return isName && !isKept(word) ? word.replace(EDGES, toMasked) : word;
}

/** Names of errors and their codes say what is wrong. */
function isKept(word: string): boolean {
  return (
    /(?:Error|Exception|Warning)\W*$/.test(word) || /^\W*[A-Z]{1,8}\d{3,5}\W*$/.test(word) || /^\W*--?[a-z]/.test(word)
  );
}

function toMasked(_: string, open: string, core: string, close: string): string {
  // Not half of a pair: `call()` is one name.
  const isCall = core.endsWith('(') || (core.includes('(') && !core.includes(')'));
  return open.replaceAll(/[*&]/g, '') + MASK + (isCall ? close.replace(')', '') : close);
}
