import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/surfaces/cli/commands.ts';
import { COMMAND_TREE, type CommandNode } from '../../src/surfaces/cli/find-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['src/**/*.{ts,sh}', 'docs/**/*.md', 'plugin/**/*.*', 'samples/**/*.md', '*.md'];
/** Its entries name commands as they were called at the time. */
const CHANGES = 'CHANGELOG.md';
/** The reference names former names, and says that they are former names. */
const FORMER = /^(?:Also|Former name, which still works): .*$/gm;
/** `oncebitten lessons list`, also behind `npm run -s`. */
const COMMAND = /(?<![/.\w-]|\bby )oncebitten(?: --)?((?: [a-z][a-z-]*(?![\w:.=/]))+)/g;
/** A command in docs without the program's name: an old name that is more than one word, or has an option. */
const OLD = COMMANDS.flatMap(({ oldNames = [], otherNames = [] }) => [...oldNames, ...otherNames]);
const BARE = new RegExp(
  `\`(?:${OLD.map((name) => (name.includes(' ') ? name : `${name} --[a-z-]+`)).join('|')})\\b`,
  'g',
);

describe('a command that a text names', () => {
  const files = FILES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((file) => file !== CHANGES);
  const texts = files.map((file) => ({ file, text: read(file) }));

  it('exists, under its present name', () => {
    const unknown = texts.flatMap(({ file, text }) =>
      [...text.matchAll(COMMAND)].flatMap(([match, words = '']) =>
        isCommand(COMMAND_TREE, words.trim().split(' ')) ? [] : [`${file}: ${match}`],
      ),
    );
    assert.deepEqual(unknown, []);
  });

  it('has no former name where the program is left out', () => {
    const old = texts.flatMap(({ file, text }) =>
      file.endsWith('.md') ? [...text.matchAll(BARE)].map(([match]) => `${file}: ${match}`) : [],
    );
    assert.deepEqual(old, []);
  });
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll(FORMER, '');
}

/** Behind a command without commands of its own, words are arguments. */
function isCommand({ children }: CommandNode, [word, ...rest]: readonly string[]): boolean {
  if (word === undefined || children.length === 0 || word === 'help') return true;
  const child = children.find(({ entry }) => entry.name.split(' ').at(-1) === word);
  return child !== undefined && isCommand(child, rest);
}
