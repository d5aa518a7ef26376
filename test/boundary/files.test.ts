import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT, readImportGraph } from './read-import-graph.ts';

const files = readImportGraph();
const FORBIDDEN = ['index', 'utils', 'util', 'helpers', 'helper', 'common', 'types', 'misc', 'manager', 'service'];
const MAX_LINES = 500;
const MAX_FILES = 25;
const MAIN = 'src/surfaces/cli/main.ts';
/** The hook writes its one reply itself. */
const HOOK = 'src/surfaces/hook/run-hook.ts';
/** It says that Node is too old where nothing else of ours can run. */
const LAUNCHER = 'src/surfaces/launch/launch-command.ts';

const none = (found: readonly string[], reason: string): void =>
  assert.deepEqual(found, [], `${reason}\n  ${found.join('\n  ')}\n`);

const without = (pattern: RegExp, allowed: readonly string[]): readonly string[] =>
  files.filter((file) => pattern.test(file.text) && !allowed.includes(file.path)).map((file) => file.path);

describe('source files', () => {
  it('have kebab-case names that name their topic', () => {
    const bad = files
      .map((file) => file.path)
      .filter((path) => !/^(\d{4}-)?[a-z][a-z0-9]*(-[a-z0-9]+)*\.ts$/.test(basename(path)));
    none(bad, 'A file is named after its topic, in kebab-case.');
    none(
      files.map((file) => file.path).filter((path) => FORBIDDEN.includes(basename(path, '.ts'))),
      'These names say nothing; name the thing.',
    );
  });

  it('stay under 500 lines', () => {
    const long = files.filter((file) => file.text.split('\n').length > MAX_LINES).map((file) => file.path);
    none(long, 'Past 300 lines look for the idea that wants its own name; past 500 there are two.');
  });

  it('stand in folders of at most 25', () => {
    const counts = Map.groupBy(files, (file) => dirname(file.path));
    const crowded = [...counts].filter(([, inside]) => inside.length > MAX_FILES).map(([folder]) => folder);
    none(crowded, 'A person takes in about twenty names at a glance: divide the folder by topic.');
  });

  it('exist where the documents for contributors name them', () => {
    const named = ['AGENTS.md', 'ARCHITECTURE.md'].flatMap((name) => {
      const text = readFileSync(join(ROOT, name), 'utf8');
      return [...text.matchAll(/`(?:src\/)?([a-z-]+(?:\/[a-z0-9-]+)*\/[a-z0-9-]+\.ts)`/g)].map(
        ([, path]) => path ?? '',
      );
    });
    const missing = named.filter((path) => !existsSync(join(ROOT, 'src', path)) && !existsSync(join(ROOT, path)));
    assert.ok(named.length > 20, 'the pattern finds no paths any more');
    none(missing, 'A reader follows these paths: correct them when a file moves.');
  });

  it('begin by saying what they are for', () => {
    const silent = files.filter((file) => !file.text.slice(0, 2000).includes('/**')).map((file) => file.path);
    none(silent, 'The first lines of a file say what it is for.');
  });

  it('end the process in one place', () => {
    none(
      without(/process\.(exit\(|exitCode\b|abort\()/, [MAIN, LAUNCHER]),
      `Only ${MAIN} ends the process: elsewhere work would be cut off and errors hidden.`,
    );
  });

  it('print in one place', () => {
    none(
      without(/\bconsole\.|process\.std(out|err)\b|writeSync\(1\b/, [MAIN, HOOK, LAUNCHER]),
      `Only ${MAIN} prints: handlers return values, so that --json and tests see the same.`,
    );
  });
});
