/**
 * Finds faults of well-formed triggers: they would fire on nearly every call, or never. The matcher itself tests the
 * triggers on made-up and ordinary calls.
 */

import { once } from '../../base/bounded-memory.ts';
import type { ToolInput } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { type CallView, toWrittenView } from '../../base/triggers/call-view.ts';
import { testRegex } from '../../base/triggers/regex.ts';
import { type ProgramTrigger, renderProgram, type TextTrigger, type Triggers } from '../../base/triggers/trigger.ts';
import { listExceptions, listParts } from '../../base/triggers/trigger-parts.ts';
import { judgeTriggers } from '../../keep/manifest/compiled-triggers.ts';
import { canMatch } from '../../keep/schemas/linear-regex.ts';

/** Texts with nothing in common. A pattern that matches all of them matches anything. */
const ANY_TEXT = ['', 'a', 'Zz 9', '{"k":[1]}', 'git commit -m "x"', '\n\t#', '日本 🙂'];
/**
 * Tools whose calls name no file. A search names a folder and a pattern; the files it shows are known only afterwards,
 * and matching the folder instead would let a lesson about `src/**` fire on every search.
 */
const NAMELESS: ReadonlySet<ToolName> = new Set(['shell', 'glob', 'grep', 'web', 'task']);

/** The first fault of the triggers, in words; undefined if there is none. */
export function findTriggerFault(triggers: Triggers): string | undefined {
  return findDeadTrigger(triggers) ?? findTriggerNoise(triggers);
}

function findDeadTrigger(triggers: Triggers): string | undefined {
  const wrongTool = findWrongTool(triggers);
  if (wrongTool !== undefined) return `never fires: ${wrongTool}`;
  for (const { name, row, values } of listParts(triggers)) {
    const because = row.values === 'regexes' ? findDeadText(values, row.calls === 'file' ? 0 : 1) : undefined;
    if (because !== undefined) return `never fires: ${name} ${because}`;
  }
  const own = findOwnException(triggers);
  if (own !== undefined) return `never fires: unless has all of its ${own}`;
  const { programs = [] } = triggers;
  const dead = programs.find((program) => !canRun(program));
  if (dead !== undefined && programs.every((program) => !canRun(program)))
    return `never fires: no command can be ${renderProgram(dead)}`;
  return undefined;
}

function findWrongTool(triggers: Triggers): string | undefined {
  const { tools } = triggers;
  const [part, file] = (['shell', 'file'] as const).map((calls) => findPart(triggers, calls));
  if (part !== undefined && tools !== undefined && !tools.includes('shell'))
    return `${part} is about shell commands, but its tools are ${tools.join(', ')}`;
  if (file === undefined) return undefined;
  if (part !== undefined) return `${part} is about shell commands, ${file} about files, and no call has both`;
  const nameless = tools?.filter((tool) => NAMELESS.has(tool)) ?? [];
  const searches = nameless.filter((tool) => tool === 'glob' || tool === 'grep');
  if (nameless.length === 0 || (nameless.length < (tools?.length ?? 0) && searches.length === 0)) return undefined;
  const named = searches.length === 0 ? nameless : searches;
  return `${file} is about files, which a ${named.join(' or ')} call does not name: leave that tool out`;
}

/** The first part that only calls of this kind can have. */
function findPart(triggers: Triggers, calls: 'shell' | 'file'): string | undefined {
  return listParts(triggers).find(({ row }) => row.calls === calls)?.name;
}

/** A part whose values are all named by an exception. */
function findOwnException({ unless = {}, ...triggers }: Triggers): string | undefined {
  return listExceptions(unless)
    .flatMap(({ row, values }) => row.parts.map((part) => ({ part, excepted: toTexts(values) })))
    .find(({ part, excepted }) => {
      const own = triggers[part];
      return own !== undefined && toTexts(own).every((one) => excepted.includes(one));
    })?.part;
}

function toTexts(values: readonly unknown[]): readonly string[] {
  return values.map((value) => JSON.stringify(value));
}

/** `minChars` is 1 for commands, because a file may be empty but a command is not. */
function findDeadText({ match, unless }: TextTrigger, minChars: number): string | undefined {
  if (unless?.some(matchesAnything)) return `has an unless that matches anything`;
  if (match === undefined) return undefined;
  if (!match.some((regex) => canMatch(regex, minChars))) return `has a match that no text can have`;
  return match.every((regex) => unless?.includes(regex)) ? 'has the same text in match and unless' : undefined;
}

/** Tests the trigger on a made-up command with one word of `any`, all words of `all`, and enough other words. */
function canRun(program: ProgramTrigger): boolean {
  const { name, sub = [], words = 0, args = {} } = program;
  const fill = Array.from({ length: Math.max(0, words - sub.length) }, (_, i) => `word${i}`);
  return (args.any ?? ['']).some((one) => {
    const all = [name, ...sub, ...fill, ...(args.all ?? []), one].filter((word) => word !== '');
    return judgeTriggers({ programs: [program] }, toWrittenView('shell', { command: all.map(quote).join(' ') })).holds;
  });
}

function matchesAnything(regex: string): boolean {
  return ANY_TEXT.every((text) => testRegex(regex, text));
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Share of the ordinary calls of one tool. */
const NEARLY_ALL = 0.9;

/**
 * Finds a trigger that would fire on nearly every call of a tool, by matching it against ordinary calls. Conditions on
 * the session, the sub-agent or the conversation restrict a trigger enough, so those triggers are not noise.
 */
export function findTriggerNoise(triggers: Triggers): string | undefined {
  const empty = findEmptyKeyword(triggers);
  if (empty !== undefined) return `has the keyword "${empty}", which stands in nearly every message`;
  if (listParts(triggers).some(({ row }) => row.isNarrow)) return undefined;
  const isNoisy = listOrdinaryCalls().some((calls) => {
    const spoken = calls.filter((call) => judgeTriggers(triggers, call, { callOnly: true }).holds);
    return spoken.length >= NEARLY_ALL * calls.length;
  });
  return isNoisy ? 'would match nearly every call: name a program, a file or a more specific text' : undefined;
}

const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be been before but by can could did do does done for from get go had has
  have he her here him his how i if in into is it its just let like make may me more my need new no not now of off ok on
  one only or other our out over please she should so some than thanks that the their them then there these they this those
  to too under up us use very want was we were what when where which who why will with would yes you your`.split(/\s+/),
);
/** In scripts without an alphabet, one character is a word. */
const LETTER =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}\p{P}\p{S}]$/u;

/** A keyword that appears in nearly every message: a single letter, or a function word such as "the". */
function findEmptyKeyword({ actionKeywords = [], contextKeywords = [] }: Triggers): string | undefined {
  return [...actionKeywords, ...contextKeywords].find((keyword) => {
    const words = keyword.trim().toLowerCase().split(/\s+/);
    return words.every((word) => STOP_WORDS.has(word) || LETTER.test(word));
  });
}

const COMMANDS = [
  'ls',
  'pwd',
  'git status',
  'git commit -m "Fix the totals (#12)"',
  'cd web && npm test',
  'npm ci --no-audit',
  'make -j4 build',
  "python3 -c 'print(1 + 1)'",
  'pytest tests/test_cart.py -k "empty or full" -x',
  'cargo clippy --all-targets -- -D warnings',
  'go test ./...',
  'docker compose up -d db',
  "grep -rn 'TODO' src | head -20",
  'find . -name "*.orig" -delete',
  'curl -sS http://localhost:8080/health',
  'cat README.md',
  "sed -n '10,40p' lib/Router.PHP",
  'mkdir -p build/out',
  'rm notes.txt',
  'FOO=1 ./run.sh',
  'for f in *.sql; do wc -l "$f"; done',
  'psql -c "select count(*) from orders"',
  'echo done',
  'kill 4242',
];

const FILES: readonly (readonly [path: string, before: string, after: string])[] = [
  ['/home/ann/shop/src/cart.ts', 'const a = 1;', 'export function total(items: Item[]): number {\n  return 0;\n}\n'],
  ['/home/ann/shop/README.md', '# Shop', '# The shop\n\nSells things.\n'],
  ['/srv/app/models/user.py', 'x', 'import os\n\nclass User:\n    pass\n'],
  ['/srv/app/package.json', '"a"', '{ "name": "app" }'],
  ['Makefile', 'all:', 'all: build\n\tcc -o a a.c\n'],
  ['db/migrations/0004_add_index.sql', ';', 'CREATE INDEX i ON orders (user_id);'],
  ['C:\\work\\Site\\Page.HTML', '<p>', '<p class="x">Hello</p>'],
  ['.github/workflows/ci.yml', 'on:', 'on: [push]\n'],
  ['/etc/hosts', '#', '127.0.0.1 local'],
  ['notes', '1', '日本 🙂'],
];

const PATTERNS: readonly (readonly [glob: string, text: string])[] = [
  ['**/*.ts', 'TODO'],
  ['src/**/test_*.py', 'def main\\('],
  ['*.md', 'install'],
  ['package.json', '"version"'],
  ['docs/*', '^## '],
  ['{a,b}/index.html', 'href=.*'],
];

function toCall(tool: ToolName, input: object, given: Omit<ToolInput, 'json'> = {}): CallView {
  return toWrittenView(tool, { ...given, json: JSON.stringify(input) });
}

/**
 * Ordinary calls by tool, with as little in common as possible: a trigger that matches nearly all of them is useless.
 * Other tools are called so rarely that naming one of them is specific enough.
 */
const listOrdinaryCalls = once((): readonly (readonly CallView[])[] => [
  COMMANDS.map((command) => toCall('shell', { command }, { command })),
  FILES.map(([path]) => toCall('read', { file_path: path }, { path })),
  FILES.map(([path, old_string, content]) =>
    toCall('edit', { file_path: path, old_string, new_string: content }, { path, content }),
  ),
  FILES.map(([path, , content]) => toCall('write', { file_path: path, content }, { path, content })),
  PATTERNS.map(([pattern]) => toCall('glob', { pattern })),
  PATTERNS.map(([, pattern]) => toCall('grep', { pattern })),
]);
