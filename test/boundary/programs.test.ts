import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROWS } from '../../src/base/shell/programs/rows.ts';
import { readImportGraph } from './read-import-graph.ts';

const CATALOGUE = 'src/base/shell/programs/';
/** Names that are as often words of English or of another list. */
const COMMON = new Set(
  'command env exec export fd file find go host join less node open patch print read set sort source split stat task test time timeout type watch'.split(
    ' ',
  ),
);
const NAMES = new Set(ROWS.flatMap(([names]) => names.split(' ')).filter((name) => !COMMON.has(name)));
/** Fewer names are a rule about these very programs, not a list of programs. */
const MIN_NAMES = 3;

/** Files that may name several programs at once, by the reason. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'it reads prose, in which a name alone is no command: each list is reviewed by itself': [
    'src/base/text/withhold-commands.ts',
    'src/distill/gate/outside-text/poison-shapes.ts',
    'src/distill/gate/risky-remedies/remedy-risks.ts',
    'src/distill/gate/outside-text/judge-foreign.ts',
    'src/distill/gate/guard-proposal.ts',
    'src/distill/propose/user-words/name-words.ts',
  ],
  'it writes a script in the language of each of these shells': ['src/surfaces/cli/completions/completions.ts'],
  'it knows what programs print': ['src/capture/outcomes/error-lines.ts'],
  'the names are part of stored triggers and keys, which must not change with the catalogue': [
    'src/base/shell/exact-call.ts',
    'src/distill/propose/commands/hang.ts',
    'src/distill/episodes/set-up.ts',
    'src/surfaces/install/starter-lessons.ts',
  ],
};

describe('lists of programs', () => {
  const allowed = Object.values(ALLOWED).flat();
  const found = readImportGraph()
    .filter(({ path }) => !path.startsWith(CATALOGUE))
    .map(({ path, text }) => ({ path, lists: findLists(text) }))
    .filter(({ lists }) => lists.length > 0);

  it('stand in the catalogue', () => {
    const others = found.filter(({ path }) => !allowed.includes(path));
    assert.deepEqual(
      others.map(({ path, lists }) => `${path}: ${lists.join(' / ')}`),
      [],
      `What is known about a program stands in its row in ${CATALOGUE}: give the row a trait, and ask for it.`,
    );
  });

  it('stand elsewhere only where a reason is given', () => {
    const paths = found.map(({ path }) => path);
    assert.deepEqual(
      allowed.filter((path) => !paths.includes(path)),
      [],
    );
  });

  it('are found as words, arrays, alternatives and keys', () => {
    for (const text of [
      "const A = new Set('cat head tail less'.split(' '));",
      "const A = ['npm', 'pnpm', 'yarn'];",
      'const A = /^(?:curl|wget|ssh)\\s/;',
      "const A = '\\\\b(?:curl|wget|ssh)\\\\b';",
      "const A = {\n  git: ['push'],\n  gh: [],\n  'apt-get': [],\n};",
    ])
      assert.equal(findLists(text).length, 1, text);
    for (const text of [
      '/** `cat`, `head`, `tail` and `less`. */',
      "const A = ['read', 'edit', 'write'];",
      "throw new Error('run npm or yarn or pnpm to get all that is missing in this folder');",
    ])
      assert.deepEqual(findLists(text), [], text);
  });
});

/** Words between quotes or in an array, alternatives of a regular expression, and keys of an object. */
function findLists(source: string): readonly string[] {
  const text = source.replace(/\/\*[\s\S]*?\*\/|(?<![:\\'"`/])\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ''));
  const quoted = [...text.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].map((one) => one.slice(1).join(''));
  const candidates = [
    ...quoted.filter((words) => !words.includes('(')).map((words) => words.split(/[\s|]+/)),
    ...[...text.matchAll(/\[([^[\]]*)\]/g)].map(([, items = '']) =>
      [...items.matchAll(/'([^']*)'/g)].map(([, word = '']) => word),
    ),
    ...[...text.matchAll(/\(\??:?([^()[\]\s]*\|[^()[\]\s]*)/g)].map(([, words = '']) => words.split('|')),
    ...[...text.matchAll(/(?:^ *'?[\w.-]+'?: .*\n)+/gm)].map(([lines]) =>
      [...lines.matchAll(/^ *'?([\w.-]+)'?: /gm)].map(([, key = '']) => key),
    ),
  ];
  return candidates.flatMap((words) => {
    const names = new Set(words.filter((word) => NAMES.has(word)));
    return names.size >= MIN_NAMES && names.size * 2 > words.length ? [[...names].join(' ')] : [];
  });
}
