/** Agents are known in `src/agents/` only: general code asks their facts, so that another agent is a folder and its rows. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AGENTS } from '../../src/agents/agents.ts';

const SRC = join(import.meta.dirname, '../../src');

/** File -> why it may name agents. */
const ALLOWED: Readonly<Record<string, string>> = {
  'base/model/settings.ts':
    'each id is the name of a setting, scanPaths.<id>; a test holds them equal to the histories',
  'distill/gate/outside-text/poison-shapes.ts': 'words with which hostile text addresses a model',
};

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const VARIABLES = AGENTS.flatMap(({ home, processVariable }) => [home.env, processVariable]).filter((name) => name);
const IDS = AGENTS.map(({ id }) => id.split('-')[0]);
const NAMES = new RegExp(`\\b(?:${[...IDS, ...VARIABLES].join('|')})(?:\\b|_)|\\.(?:${IDS.join('|')})\\b`, 'i');

describe('the names of agents', () => {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.startsWith('agents/'));
  const naming = files.filter((file) => NAMES.test(readFileSync(join(SRC, file), 'utf8').replace(COMMENTS, '')));

  it('stand in no other folder', () => {
    assert.deepEqual(naming.filter((file) => !Object.hasOwn(ALLOWED, file)).toSorted(), []);
  });

  it('are needed where they are allowed', () => {
    assert.deepEqual(
      Object.keys(ALLOWED).filter((file) => !naming.includes(file)),
      [],
    );
  });
});
