/** Sessions that teach nothing, whichever detector looks at them. Each failure has its signature, so known fixes count. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redact } from '../../src/base/secrets/redaction.ts';
import { detectAll } from './detect-pairs.ts';
import { failed, other, type Step, worked } from './session-script.ts';

const GUESSED = 'pytest tests/unit -q';
const UNFOUND = 'ERROR: file or directory not found: tests/unit\n\nno tests ran in 0.01s';
const SANDBOXED = failed(
  'git checkout -b feature',
  "fatal: cannot lock ref 'refs/heads/feature': Operation not permitted",
);
const ESCALATED = { sandbox_permissions: 'require_escalated' };

const read = (targetPath: string): Step => ({ ...other('read', targetPath), rawTool: 'Read' });
const unread = (targetPath: string, output: string): Step => ({
  ...{ tool: 'read', rawTool: 'Read', targetPath, output, outcome: 'failure', cwd: '/repo' },
});
const FOLDER = unread('/repo/tasks/lint', "EISDIR: illegal operation on a directory, read '/repo/tasks/lint'");

const NOTHING: Readonly<Record<string, readonly Step[]>> = {
  'a path that was guessed wrong, where more than the path changed': [
    failed(GUESSED, UNFOUND),
    worked('pytest tests/api -x --lf'),
  ],
  'a folder that was made': [failed(GUESSED, UNFOUND), worked('mkdir tests/unit'), worked('pytest tests/api -q')],
  'two paths that are both not there': [
    failed(GUESSED, UNFOUND),
    failed('pytest tests/api -q', 'ERROR: file or directory not found: tests/api'),
  ],
  'other tests after red ones': [failed(GUESSED, 'E   assert 1 == 2\n1 failed'), worked('pytest tests/api -q')],
  'a path that was guessed wrong in another folder': [
    failed('cd web && pytest tests/unit', UNFOUND),
    worked('cd web && pytest tests/api'),
  ],
  'a file of another name that was looked at': [
    failed('cat docs/plan.md', 'cat: docs/plan.md: No such file or directory'),
    worked('cat docs/PLAN.md'),
  ],
  'a path that is made after a look': [
    { ...failed('ls dist', 'ls: dist: No such file or directory'), cwd: '/repo' },
    { ...worked('mkdir dist'), cwd: '/repo' },
  ],
  'one look at a path that is not there': [
    { ...failed('cat ./docs/plan.md', 'cat: ./docs/plan.md: No such file or directory'), cwd: '/repo' },
  ],
  'one of several places that were asked for': [
    { ...failed('ls dist build out', 'ls: dist: No such file or directory'), cwd: '/repo' },
    { ...worked('ls build'), cwd: '/repo' },
  ],
  'a command that only happened to run between': [
    failed('node build.js', 'Segmentation fault'),
    worked('npm install'),
    worked('node build.js'),
  ],
  'a command that ran between, and code that was changed there, too': [
    failed('node build.js', "Error: Cannot find module 'esbuild'"),
    other('edit', '/repo/build.js'),
    worked('npm install'),
    worked('node build.js'),
  ],
  'tests that turned green after a build': [
    failed('npm test', '1 failed\nrun npm run build'),
    worked('npm run build'),
    worked('npm test'),
  ],
  'a formatter': [
    failed('npm run lint', 'files need to be formatted: npm run fmt'),
    worked('npm run fmt'),
    worked('npm run lint'),
  ],
  'a conflict that was solved': [
    failed('git rebase --continue', 'CONFLICT: use git add'),
    worked('git add a'),
    worked('git rebase --continue'),
  ],
  'a server elsewhere that was down': [
    failed('psql -h db.example.com shop', 'psql: error: connection to server failed: Connection refused'),
    worked('docker compose up -d db'),
    worked('psql -h db.example.com shop'),
  ],
  'a variable of a script of many commands': [
    failed('npm ci; npm run a; npm run b; npm run seed -- --all', 'Error: no database'),
    worked('BASE=main npm run seed -- --all'),
  ],
  'a variable beside a verdict on the code': [
    failed('go test ./...', '--- FAIL: TestX (0.00s)'),
    worked('CI=1 go test ./...'),
  ],
  'a command that the sandbox refused again': [SANDBOXED, { ...SANDBOXED, parameters: ESCALATED }],
  'a command that worked by itself later': [SANDBOXED, worked('git checkout -b feature')],
  'a command that was given more time': [
    SANDBOXED,
    { ...worked('git checkout -b feature'), parameters: { timeout: '600000', description: 'again' } },
  ],
  'a search in a path that is not there': [
    { tool: 'grep', rawTool: 'Grep', outcome: 'failure', output: 'Path does not exist: src' },
    worked('grep -rn foo .'),
  ],
  'a tool that could not be started, and could later': [
    { tool: 'grep', rawTool: 'Grep', outcome: 'failure', output: "ENOENT, posix_spawn '/opt/agent/2.1/bin'" },
    worked('grep -rn foo .'),
    { tool: 'grep', rawTool: 'Grep', outcome: 'success' },
  ],
  'a file that was guessed, and another one that was read': [
    unread('/repo/a.ts', 'File does not exist.'),
    read('/repo/b.ts'),
  ],
  'a file that was written after it was not found': [
    unread('/repo/.lint.yml', 'File does not exist. Did you mean .lint.yaml?'),
    read('/repo/.lint.yaml'),
    other('write', '/repo/.lint.yml'),
  ],
  'a file of secrets beside its example': [
    unread('/repo/.env.example', 'File does not exist. Did you mean .env?'),
    read('/repo/.env'),
  ],
  'a folder that was read as a file, and into which nobody looked': [FOLDER, worked('git status')],
  'a folder that was read as a file, and another one': [FOLDER, worked('ls tasks/linters')],
  'a folder that was read as a file, and a file with the same beginning': [FOLDER, read('/repo/tasks/lint.md')],
  'a folder into which nobody may look': [FOLDER, failed('ls tasks/lint', 'Permission denied')],
  'a file that is not there, and a look for it': [
    unread('/repo/tasks/lint', 'File does not exist.'),
    worked('ls tasks/lint'),
  ],
  'a folder whose reading the user denied': [{ ...FOLDER, outcome: 'denied' }, worked('ls tasks/lint')],
  'a folder whose reading was cancelled': [{ ...FOLDER, outcome: 'cancelled' }, worked('ls tasks/lint')],
  'a variable with a secret, as capture keeps it': [
    failed('npm publish', 'need auth'),
    worked(redact('NPM_TOKEN=abcdef npm publish')),
  ],
};

describe('a session teaches nothing by', () => {
  for (const [title, steps] of Object.entries(NOTHING)) {
    it(title, () => assert.deepEqual(detectAll(...steps), []));
  }

  it('a variable that makes a program say more, but for a repair, which waits for a second time', () => {
    for (const name of ['GIT_TRACE', 'DEBUG', 'RUST_LOG', 'NODE_DEBUG']) {
      const steps = [failed('git stash push', 'error: could not write index'), worked(`${name}=1 git stash push`)];
      assert.deepEqual(
        detectAll(...steps).filter(({ kind }) => kind !== 'repair'),
        [],
        name,
      );
    }
  });
});
