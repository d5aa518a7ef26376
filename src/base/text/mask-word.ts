/**
 * Masks the values in one word of a message: paths, hosts, addresses, numbers, hashes, ids. The word is split where
 * messages join parts (`key=value`, `file.ts(12,5):`), so that the text around a value stays. There is only one mask,
 * because the same position may contain a name or a number, or a hex number with or without letters.
 */

export const MASK = '<*>';

/** The name of an option is part of the cause, so it stays; its value does not. */
const OPTION = /^--?[A-Za-z][\w-]*/;
const ONLY_NUMBER = /^[-+]?\d[\d.,:/%-]*$(?<=[\d%])/;
/** Without the sign that ends a sentence. */
const URL = /[a-z][a-z0-9+.-]*:\/\/[^\s,;)\]}>"']*[^\s,;)\]}>"'.!?:]/gi;
const WINDOWS_PATH = /(?<![A-Za-z0-9])[A-Za-z]:[\\/][^\s"'<>|;:,()]*/g;
/** MAC addresses, IPv6 addresses and times. */
const COLON_GROUPS = /(?<![\w.-])(?=[0-9a-f:]*\d)(?:[0-9a-f]{1,4})?(?::[0-9a-f]{0,4}){2,}(?![\w-])/gi;
/** What a program reads in place of a file: `<stdin>:3`. */
const NO_FILE = /<[a-z][\w-]*>(?=:(?:\d|<\*>))/g;
const ASSIGNED = /([A-Za-z_][\w.-]*)=(?![=>~])([^\s,;()[\]{}"'`|&]*)/g;
/** Names of errors and levels, which stay wherever they are. */
const NAMED_ERROR = /^(?:E[A-Z]{3,}|[\w.$]*(?:Error|Exception)|error|warn|warning|fatal|panic|info|debug)$/;
/** `TS2345`, `E0308`, `SC2086`: the number names the cause. */
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
/** This folder or the one above it. */
const HERE = /^\.{1,2}\/?$/;
/** A slash between two words is not always a path. */
const SLASHED_WORDS = new Set(
  'and/or i/o input/output read/write r/w n/a tcp/ip client/server yes/no on/off true/false ci/cd either/or'.split(' '),
);

export function maskWord(word: string): string {
  if (ONLY_NUMBER.test(word) || HERE.test(word)) return MASK;
  const option = OPTION.exec(word)?.[0];
  if (option === undefined) return maskRest(word);
  const rest = word.slice(option.length);
  return option + (/^=./.test(rest) ? `=${MASK}` : maskRest(rest));
}

function maskRest(word: string): string {
  let text = word.includes('>:') ? word.replace(NO_FILE, MASK) : word;
  if (text.includes('://')) text = text.replace(URL, MASK);
  if (text.includes(':')) text = text.replace(WINDOWS_PATH, MASK).replace(COLON_GROUPS, MASK);
  if (text.includes('=')) text = text.replace(ASSIGNED, maskAssigned);
  const masked = text.replace(ATOM, maskAtom).replace(JOINED_MASKS, MASK);
  return masked.includes('::') ? masked.replace(TEST_IN_FILE, MASK) : masked;
}

function maskAssigned(_: string, key: string, value: string): string {
  return `${key}=${NAMED_ERROR.test(value) ? value : MASK}`;
}

/** `*.md`, `src/12-*`; not `*Name`, `char*` or `**bold**`. */
const GLOB = /\*[./-]|[\d./_-]\*/;

function maskAtom(atom: string): string {
  if (atom.includes('*') && GLOB.test(atom) && /[A-Za-z0-9]/.test(atom)) return MASK;
  const [, before = '', core = '', after = ''] = ATOM_EDGES.exec(atom) ?? [];
  return before + maskCore(core) + after;
}

function maskCore(core: string): string {
  if (/^[A-Za-z_]*$/.test(core)) return core === 'localhost' || (core.length >= 16 && HEX.test(core)) ? MASK : core;
  if (/[/\\]/.test(core)) return isPath(core) ? MASK : core;
  if (core.includes('@') && /[\w-]@[\w^~*]|^@[\w-]+@/.test(core)) return MASK;
  if (core.includes('.') && isFileOrHost(core)) return MASK;
  if (!/\d/.test(core)) return core;
  if (CODE.test(core)) return core;
  if (NUMBER_FIRST.test(core) || VERSION.test(core) || HEX.test(core)) return MASK;
  return isId(core) ? MASK : core.replace(RUN, MASK);
}

function isPath(core: string): boolean {
  return HERE.test(core) || (/[A-Za-z0-9]/.test(core) && !SLASHED_WORDS.has(core.toLowerCase()));
}

function isFileOrHost(core: string): boolean {
  if (DOTFILE.test(core)) return true;
  const dot = core.lastIndexOf('.');
  return dot > 0 && NAME_ENDS.has(core.slice(dot + 1).toLowerCase()) && /^[\w$.+~-]+$/.test(core);
}

/**
 * A name with a number is one of many: `worker5`, `blk_-69522958`, `d211-116-254-214.rev`; not a dotted name with one
 * or two numbers.
 */
function isId(core: string): boolean {
  const dot = core.indexOf('.');
  return dot < 0 || (core.slice(0, dot).match(/\d+/g)?.length ?? 0) >= 3;
}

/**
 * Extensions of files and ends of host names. Class names and settings have dots too (`java.lang.Error`,
 * `mapred.job.id`) and say what a message is about, so only a known ending is masked.
 */
const FILES = `
  js jsx ts tsx mjs cjs mts cts json jsonc jsonl json5 map vue svelte astro css scss sass less html htm
  py pyi pyc pyx ipynb go mod sum work rs rlib java kt kts scala groovy gradle class jar war c h cc cpp cxx hpp hh hxx m mm
  cs csproj fs fsproj vb sln rb erb gemspec php pl pm lua r jl dart swift ex exs erl hs ml mli clj elm nim zig
  sh bash zsh fish ps1 psm1 bat cmd awk sql prisma graphql proto thrift wasm wat tf tfvars hcl nix
  md mdx rst txt tex log csv tsv xml xsd xsl svg yml yaml toml ini cfg conf config properties env lock plist
  o a so dll dylib lib exe bin out obj img iso dmg deb rpm apk whl egg gz tgz tar zip bz2 xz zst 7z rar
  png jpg jpeg gif webp ico bmp pdf doc docx xls xlsx ppt pptx mp3 mp4 wav mov avi ttf woff woff2
  db sqlite sqlite3 dat data tmp temp bak orig rej swp pid sock socket patch diff snap golden pem crt cer key csr p12 jks
  cmake mk in am ac spec service timer target mount desktop dockerfile dockerignore gitignore editorconfig
`;

const HOSTS = `
  com net org edu gov mil info biz io dev app cloud ai local localdomain internal intranet lan home corp arpa
  de uk fr jp cn br ru nl au ca ch se es kr tw hk sg nz at be dk fi cz pt gr ie il mx ar cl tr ua ro hu za us eu
`;

const NAME_ENDS: ReadonlySet<string> = new Set(`${FILES} ${HOSTS}`.split(/\s+/).filter((end) => end !== ''));
