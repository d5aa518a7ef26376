import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCommand } from '../../src/base/parse-command.ts';
import { hasWord, toPositionals } from '../../src/base/program-words.ts';

const CASES: readonly (readonly [line: string, wanted: string, has: boolean])[] = [
  ['gh pr diff 7 --stat', '--stat', true],
  ['gh pr diff 7 --stat=40', '--stat', true],
  ['gh pr diff 7 --statistics', '--stat', false],
  ['gh pr diff 7 "--stat"', '--stat', true],
  ['gh pr create --body "--stat"', '--stat', false],
  ["git commit -m '--amend'", '--amend', false],
  ['git commit --message="x" "--amend"', '--amend', true],
  ['git log -- --stat', '--stat', false],
  ['git checkout -- file', '--', true],
  ['git checkout -- file', 'file', true],
  ['grep -rn -- --stat src', '--stat', false],
  ['npm test -- --watch', '--watch', true],
  ['cargo test -- --nocapture', '--nocapture', true],
  ['kubectl exec pod -- ls --color', '--color', false],
  ['gh pr', 'pr', true],
  ['gh pr', 'p', false],
];

describe('a word of a command', () => {
  for (const [line, wanted, has] of CASES) {
    it(`${has ? 'is' : 'is not'} there: ${wanted} in ${line}`, () => {
      const [command] = parseCommand(line);
      assert.ok(command);
      assert.equal(hasWord(command, wanted), has);
    });
  }
});

const POSITIONALS: readonly (readonly [line: string, ...words: string[]])[] = [
  ['git -C ../shop log', 'log'],
  ['cargo +nightly test', 'test'],
  ['docker compose -f dev.yml -p shop up', 'compose', 'up'],
  ['docker compose logs -f web', 'compose', 'logs', 'web'],
  ['docker-compose -f dev.yml up', 'up'],
  ['docker-compose logs -f web', 'logs', 'web'],
  ['docker logs -f web', 'logs', 'web'],
  ['make -j 8 CC=gcc test', 'test'],
  ['make -j test', 'test'],
  ['mvn -f pom.xml test', 'test'],
  ['aws --profile p s3 ls', 's3', 'ls'],
  ['kubectl --kubeconfig f get po', 'get', 'po'],
  ['npm -C web --loglevel silent test', 'test'],
  ['gh pr diff 12', 'pr', 'diff', '12'],
];

describe('words that are no options', () => {
  for (const [line, ...words] of POSITIONALS)
    it(line, () => {
      const [command] = parseCommand(line);
      assert.ok(command);
      assert.deepEqual(toPositionals(command), words);
    });
});
