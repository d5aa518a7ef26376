/**
 * One word of a message with the values in it masked: paths, hosts, addresses, numbers, hashes, ids. A word is split where
 * messages join things (`key=value`, `file.ts(12,5):`), so that what surrounds a value stays. Only one mask exists: the
 * same place holds a name here and a number there, a hex number with letters or by chance without.
 */
import { NAME_ENDS } from './name-ends.ts';

export const MASK = '<*>';

/** Names of options say what was wrong: they stay. Their values do not. */
const OPTION = /^--?[A-Za-z][\w-]*/;
const ONLY_NUMBER = /^[-+]?\d[\d.,:/%-]*$(?<=[\d%])/;
const URL = /[a-z][a-z0-9+.-]*:\/\/[^\s,;)\]}>"']+/gi;
const WINDOWS_PATH = /(?<![A-Za-z0-9])[A-Za-z]:[\\/][^\s"'<>|;:,()]*/g;
/** MAC addresses, IPv6 addresses and times. */
const COLON_GROUPS = /(?<![\w.-])(?=[0-9a-f:]*\d)(?:[0-9a-f]{1,4})?(?::[0-9a-f]{0,4}){2,}(?![\w-])/gi;
const ASSIGNED = /([A-Za-z_][\w.-]*)=(?![=>~])([^\s,;()[\]{}"'`|&]*)/g;
/** Says what went wrong, wherever it stands. */
const NAMED_ERROR = /^(?:E[A-Z]{3,}|[\w.$]*(?:Error|Exception)|error|warn|warning|fatal|panic|info|debug)$/;
/** `TS2345`, `E0308`, `SC2086`: the number is the cause. */
const CODE = /^(?:[A-Z]{1,8}\d{3,5}|[A-Z]{2,4}-0\d{4})$/;
const ATOM = /[^\s=:,;()[\]{}<>"'`|]+/g;
const ATOM_EDGES = /^([*!?&^.…]*(?=[*!?&^…]))?(.*?)([.!?…*]*)$/s;
const NUMBER_FIRST = /^[-+~#^≈$€£]*\d/;
const HEX = /^(?=\D*\d)[0-9a-f]{7,}$|^[0-9a-f]{16,}$/i;
const VERSION = /^[vV]\d/;
const DOTFILE = /^\.[a-z][\w-]+$/i;
const JOINED_MASKS = /<\*>(?:[:.,_/@-]{0,3}<\*>)+/g;
/** `tests/test_a.py::test_one`. */
const TEST_IN_FILE = /<\*>(?:::[\w.[\]-]+)+/g;
const RUN = /(?<![A-Za-z0-9])-?\d+|\d+/g;
/** A slash between two words is not always a path. */
const SLASHED_WORDS = new Set(
  'and/or i/o input/output read/write r/w n/a tcp/ip client/server yes/no on/off true/false ci/cd either/or'.split(' '),
);

export function maskWord(word: string): string {
  if (ONLY_NUMBER.test(word)) return MASK;
  const option = OPTION.exec(word)?.[0];
  if (option === undefined) return maskRest(word);
  const rest = word.slice(option.length);
  return option + (/^=./.test(rest) ? `=${MASK}` : maskRest(rest));
}

function maskRest(word: string): string {
  let text = word;
  if (text.includes('://')) text = text.replace(URL, MASK);
  if (text.includes(':')) text = text.replace(WINDOWS_PATH, MASK).replace(COLON_GROUPS, MASK);
  if (text.includes('=')) text = text.replace(ASSIGNED, maskAssigned);
  const masked = text.replace(ATOM, maskAtom).replace(JOINED_MASKS, MASK);
  return masked.includes('::') ? masked.replace(TEST_IN_FILE, MASK) : masked;
}

function maskAssigned(_: string, key: string, value: string): string {
  return `${key}=${NAMED_ERROR.test(value) ? value : MASK}`;
}

function maskAtom(atom: string): string {
  const [, before = '', core = '', after = ''] = ATOM_EDGES.exec(atom) ?? [];
  return before + maskCore(core) + after;
}

function maskCore(core: string): string {
  if (/^[A-Za-z_]*$/.test(core)) return core.length >= 16 && HEX.test(core) ? MASK : core;
  if (/[/\\]/.test(core)) return isPath(core) ? MASK : core;
  if (core.includes('@') && /[\w-]@[\w^~*]|^@[\w-]+@/.test(core)) return MASK;
  if (core.includes('.') && isFileOrHost(core)) return MASK;
  if (!/\d/.test(core)) return core;
  if (CODE.test(core)) return core;
  if (NUMBER_FIRST.test(core) || VERSION.test(core) || HEX.test(core)) return MASK;
  return isId(core) ? MASK : core.replace(RUN, MASK);
}

function isPath(core: string): boolean {
  return /[A-Za-z0-9]/.test(core) && !SLASHED_WORDS.has(core.toLowerCase());
}

function isFileOrHost(core: string): boolean {
  if (DOTFILE.test(core)) return true;
  const dot = core.lastIndexOf('.');
  return dot > 0 && NAME_ENDS.has(core.slice(dot + 1).toLowerCase()) && /^[\w$.+~-]+$/.test(core);
}

/** `attempt_14_0020_m_000001`, `dQw4w9WgXcQ`, `d211-116-254-214.rev`; not a dotted name with a number or two in it. */
function isId(core: string): boolean {
  const first = core.split('.', 1)[0] ?? '';
  const runs = first.match(/\d+/g)?.length ?? 0;
  return first === core ? runs >= 2 : runs >= 3;
}
