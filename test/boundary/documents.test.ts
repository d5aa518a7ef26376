import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/surfaces/cli/commands.ts';
import { ROOT } from './read-import-graph.ts';

const MAX_LINES = 150;
const MAX_CHARACTERS = 120;
/** `](target)` and `](target#heading)`, but no web address. */
const LINK = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** What follows `oncebitten` in a block or a span of code, without the comment behind it. */
const COMMAND_LINE = /(?<=^ {4,}(?:\S+\/)?|`)oncebitten ([a-z][^`\n]*?)(?= {2,}#|`|$)/gm;
/** The changelog names commands of its time; the reference is generated from the commands. */
const UNCHECKED = ['CHANGELOG.md', 'docs/reference/commands.md'];
const GLOBAL_OPTIONS = ['--json', '--home', '--help', '--version'];

const documents = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'samples/*.md'], { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8').replace(/^```[\s\S]*?^```$/gm, ''),
}));

describe('documents', () => {
  it('link to files and headings that exist', () => {
    const links = documents.flatMap(({ path, text }) =>
      [...text.matchAll(LINK)].map(([link, to = '', heading]) => ({
        path,
        link,
        file: to === '' ? join(ROOT, path) : resolve(ROOT, dirname(path), to),
        heading,
      })),
    );
    const broken = links.filter(({ file, heading }) => !existsSync(file) || !hasHeading(file, heading));
    assert.ok(links.length > 50, 'the pattern finds no links any more');
    assert.deepEqual(
      broken.map(({ path, link }) => `${path}: ${link}`),
      [],
    );
  });

  it('give commands only the options that they have', () => {
    const lines = documents
      .filter(({ path }) => !UNCHECKED.includes(path))
      .flatMap(({ path, text }) => [...text.matchAll(COMMAND_LINE)].map(([, line = '']) => ({ path, line })));
    const wrong = lines.flatMap(({ path, line }) => {
      const option = findUnknownOption(line);
      return option === undefined ? [] : [`${path}: oncebitten ${line}: there is no ${option}`];
    });
    assert.ok(lines.length > 100, 'the pattern finds no commands any more');
    assert.deepEqual(wrong, []);
  });

  it('have tables with as many cells in every row', () => {
    const uneven = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:^\|.*\n)+/gm)].flatMap(([table]) => {
        const [head = '', ...rows] = table.trimEnd().split('\n');
        return rows.filter((row) => countCells(row) !== countCells(head)).map((row) => `${path}: ${row}`);
      }),
    );
    assert.deepEqual(uneven, [], 'A bar inside a cell is written `\\|`, also in code.');
  });

  it('have every guide in the list of docs/README.md', () => {
    const list = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
    const missing = globSync('docs/{guide,reference}/*.md', { cwd: ROOT }).filter(
      (path) => !list.includes(`(${relative('docs', path)})`),
    );
    assert.deepEqual(missing, [], 'A reader finds a page by that list.');
  });

  it('keep the architecture to the decisions and their reasons', () => {
    const lines = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').trimEnd().split('\n');
    const long = lines.filter(({ length }) => length > MAX_CHARACTERS);
    assert.deepEqual(long, [], `ARCHITECTURE.md has lines of at most ${MAX_CHARACTERS} characters.`);
    assert.ok(
      lines.length <= MAX_LINES,
      `Move figures to bench/README.md and details to the code: ${lines.length} lines.`,
    );
  });
});

function findUnknownOption(line: string): string | undefined {
  const named = COMMANDS.filter(({ name }) => `${line} `.startsWith(`${name} `));
  const command = named.toSorted((a, b) => b.name.length - a.name.length)[0];
  const options = Object.keys(command?.options ?? {}).map((flags) => flags.split(' ')[0] ?? '');
  const given = line.replace(/"[^"]*"|'[^']*'/g, '').match(/(?<=[\s[])--[a-z][a-z-]*/g) ?? [];
  return given.find((option) => ![...options, ...GLOBAL_OPTIONS].includes(option));
}

function countCells(row: string): number {
  return row.split(/(?<!\\)\|/).length;
}

function hasHeading(file: string, heading: string | undefined): boolean {
  if (heading === undefined) return true;
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, title = '']) => toAnchor(title) === heading);
}

/** The anchor that GitHub gives to a heading. */
function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
