/** Mistakes that agents make in any repository, and what mended them: each must be seen, and told apart from its fix. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectAll, speaks } from './detect-pairs.ts';
import { failed, worked } from './session-script.ts';

const CWD = '/repo';

/** The command that failed, what it said, and the next one, which worked; the remedies, where they matter. */
const MISTAKES: readonly (readonly [wrong: string, said: string, right: string, remedies?: readonly string[]])[] = [
  ['python script.py', 'zsh: command not found: python', 'python3 script.py'],
  ['pip install requests', 'bash: pip: command not found', 'python3 -m pip install requests'],
  ['docker-compose up -d', 'docker-compose: command not found', 'docker compose up -d'],
  ['npm run typecheck', 'npm error Missing script: "typecheck"', 'npm run type-check'],
  [
    'npx jest --testPathPattern foo',
    '● Validation Error:\n\n  Option "testPathPattern" was replaced by "--testPathPatterns"',
    'npx jest --testPathPatterns foo',
  ],
  ['npx eslint . --ext .ts', "Invalid option '--ext' - perhaps you meant '-c'?", 'npx eslint .'],
  [
    'npx vitest run --reporter=basic',
    'Error: Failed to load custom Reporter from basic',
    'npx vitest run --reporter=default',
  ],
  ['kubectl log web-1', 'error: unknown command "log" for "kubectl"', 'kubectl logs web-1'],
  [
    'git checkout -b x --no-trak origin/main',
    "error: unknown option `no-trak'",
    'git checkout -b x --no-track origin/main',
  ],
  [
    'git push',
    'fatal: The current branch feature has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream origin feature',
    'git push --set-upstream origin feature',
  ],
  ['gh pr create --fill --label bugs', "could not add label: 'bugs' not found", 'gh pr create --fill --label bug'],
  [
    'gh pr checks 12 --json state,conclusion',
    'Unknown JSON field: "conclusion"\nAvailable fields:\n  bucket',
    'gh pr checks 12 --json state,bucket',
  ],
  ['date -d yesterday +%F', 'date: illegal option -- d\nusage: date [-jnRu]', 'date -v-1d +%F'],
  ['stat -c %s a.txt', 'stat: illegal option -- c', 'stat -f %z a.txt'],
  ['timeout 10 npm test', 'zsh: command not found: timeout', 'gtimeout 10 npm test'],
  ['find . -name *.ts', 'zsh: no matches found: *.ts', "find . -name '*.ts'"],
  [
    'psql -U postgres -d shop -c "select 1"',
    'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: No such file or directory',
    'psql -h localhost -U postgres -d shop -c "select 1"',
  ],
  ['aws s3 ls s3://b --profil dev', 'Unknown options: --profil,dev', 'aws s3 ls s3://b --profile dev'],
  [
    'pytest --timeout=60 tests',
    'ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --timeout=60',
    'pytest tests',
  ],
  [
    'mypy src --ignore-missing-import',
    'usage: mypy\nmypy: error: unrecognized arguments: --ignore-missing-import',
    'mypy src --ignore-missing-imports',
  ],
  ['poetry install --no-dev', 'The option "--no-dev" does not exist', 'poetry install --without dev'],
  ['swift build --config debug', "error: Unknown option '--config'", 'swift build -c debug'],
  ['flutter test --coverage-file x', 'Could not find an option named "--coverage-file".', 'flutter test --coverage'],
  ['gradle test', 'bash: gradle: command not found', './gradlew test'],
  ['rails db:migrate', 'bash: rails: command not found', 'bundle exec rails db:migrate'],
  [
    'curl -s localhost:3000/api/x?y=1',
    'zsh: no matches found: localhost:3000/api/x?y=1',
    'curl -s "localhost:3000/api/x?y=1"',
  ],
  ['base64 -w0 a.bin', 'base64: invalid option -- w', 'base64 -i a.bin'],
  ['docker exec -it web bash -c ls', 'the input device is not a TTY', 'docker exec web bash -c ls'],
  [
    'git commit',
    'error: Terminal is dumb, but EDITOR unset\nPlease supply the message using either -m or -F option.',
    'git commit -m "x"',
  ],
  ['git rebase -i HEAD~3', 'error: Terminal is dumb, but EDITOR unset', 'GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~3'],
  ["rg --include '*.ts' foo", 'rg: unrecognized flag --include', "rg -g '*.ts' foo"],
  ['rg foo --type tsx', 'rg: unrecognized file type: tsx', 'rg foo --type ts'],
  ['make tset', "make: *** No rule to make target 'tset'.  Stop.", 'make test'],
  ['just lint', 'error: Justfile does not contain recipe `lint`', 'just check'],
  ['php artisan migrat', '\n  Command "migrat" is not defined.', 'php artisan migrate'],
  [
    'gcloud run deploy x --regin us',
    'ERROR: (gcloud.run.deploy) unrecognized arguments: --regin (did you mean --region?)',
    'gcloud run deploy x --region us',
  ],
  [
    'pnpm add -D zod',
    'ERR_PNPM_ADDING_TO_ROOT  Running this command will add the dependency to the workspace root, which might not be what you want - if you really meant it, make it explicit by running this command again with the -w flag (or --workspace-root).',
    'pnpm add -D -w zod',
  ],
  [
    'npm ci',
    'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync. Please update your lock file with `npm install`',
    'npm install',
  ],
  ['python -m app.main', "ModuleNotFoundError: No module named 'fastapi'", 'uv run python -m app.main'],
  ['node src/index.ts', 'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts"', 'npx tsx src/index.ts'],
  [
    'npm test',
    'npm error code ENOENT\nnpm error path /repo/package.json\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory',
    'cd web && npm test',
  ],
  ['cargo build', 'error: could not find `Cargo.toml` in `/repo` or any parent directory', 'cd rust && cargo build'],
  [
    'go test ./...',
    'go: go.mod file not found in current directory or any parent directory',
    'cd server && go test ./...',
  ],
  [
    'python manage.py migrate',
    "python: can't open file '/repo/manage.py': [Errno 2] No such file or directory",
    'cd backend && python manage.py migrate',
  ],
  [
    'git log --oneline',
    'fatal: not a git repository (or any of the parent directories): .git',
    'cd app && git log --oneline',
  ],
  ['npx tsc --noEmit', '                This is not the tsc command you are looking for', 'cd web && npx tsc --noEmit'],
  ['terraform plan', 'Error: No configuration files', 'cd infra && terraform plan'],
  [
    'git diff main..HEAD',
    "fatal: ambiguous argument 'main..HEAD': unknown revision or path not in the working tree.",
    'git diff origin/main..HEAD',
  ],
  ['git checkout main', "error: pathspec 'main' did not match any file(s) known to git", 'git checkout master'],
  ['git pull', 'fatal: Need to specify how to reconcile divergent branches.', 'git pull --rebase'],
  [
    'kubectl get pods -n shop',
    'Error from server (NotFound): namespaces "shop" not found',
    'kubectl get pods -n shop-prod',
  ],
  ['bun run test:unit', 'error: Script not found "test:unit"', 'bun run test'],
  ['ruby -e "puts 1" -w3', 'ruby: invalid option -3', 'ruby -e "puts 1"'],
  ['phpunit --filter X', 'bash: phpunit: command not found', 'vendor/bin/phpunit --filter X'],
  ['jest src/a.test.ts', 'bash: jest: command not found', 'npx jest src/a.test.ts'],
  [
    'dotnet test --filter X --no-restor',
    'MSBUILD : error MSB1001: Unknown switch.\nSwitch: --no-restor',
    'dotnet test --filter X --no-restore',
  ],
  [
    'mvn test -Dtest=FooTest',
    '[ERROR] No tests were executed!  (Set -DfailIfNoTests=false to ignore this error.)',
    'mvn test -Dtest=FooTest -DfailIfNoTests=false',
  ],
  [
    'gh issue list --state all --limit 5 --json titel',
    'Unknown JSON field: "titel"',
    'gh issue list --state all --limit 5 --json title',
  ],
  [
    'gh api repos/{owner}/{repo}/pulls?state=open',
    'zsh: no matches found: repos/{owner}/{repo}/pulls?state=open',
    'gh api "repos/{owner}/{repo}/pulls?state=open"',
  ],
  [
    'brew install foo',
    'Warning: foo not found\nError: No available formula with the name "foo".',
    'brew install foo-cli',
  ],
  [
    'pytest tests/api -q',
    "ModuleNotFoundError: No module named 'httpx'",
    'uv run pytest tests/api -q',
    ['Run `uv run pytest <a …>` instead of `pytest <a …>`'],
  ],
  [
    'python tools/seed.py --all',
    "Traceback (most recent call last):\nModuleNotFoundError: No module named 'sqlalchemy'",
    '.venv/bin/python tools/seed.py --all',
    [
      'Run `.venv/bin/python tools/seed.py <a …>` instead of `python tools/seed.py <a …>`',
      'Run `python` as `.venv/bin/python`: `.venv/bin/python tools/seed.py --all`',
    ],
  ],
  [
    'npm run build',
    'error: This project is configured to use pnpm',
    'pnpm build',
    ['Run `pnpm <a …>` instead of `npm run <a …>`'],
  ],
  [
    'go test ./internal/e2e/',
    'package x/internal/e2e: build constraints exclude all Go files in /repo/internal/e2e',
    'go test -tags=e2e ./internal/e2e/',
    ['Run `go test -tags=e2e <a …>` instead of `go test <a …>`', 'Add `-tags=e2e`: `go test -tags=e2e <path>`'],
  ],
];

describe('common mistakes', () => {
  for (const [wrong, said, right, remedies] of MISTAKES) {
    it(`${wrong} -> ${right}`, () => {
      const findings = detectAll({ ...failed(wrong, said), cwd: CWD }, { ...worked(right), cwd: CWD });
      assert.ok(findings.length > 0);
      if (remedies !== undefined)
        assert.deepEqual(
          findings.map(({ remediation }) => remediation),
          remedies,
        );
      // A known fix is shown with the error, whatever the call.
      for (const finding of findings.filter(({ triggers }) => triggers.failure !== true)) {
        assert.ok(speaks(finding, { command: wrong, cwd: CWD }), `${finding.detector} is silent at the mistake`);
        assert.ok(!speaks(finding, { command: right, cwd: CWD }), `${finding.detector} speaks at the fix`);
      }
    });
  }

  it('the folder of a project is told with the error', () => {
    const wrong = 'npm error enoent Could not read package.json: Error: ENOENT: no such file or directory';
    const findings = detectAll(
      { ...failed('npm test', wrong), cwd: CWD, projectRoot: CWD },
      { ...worked('cd web && npm test'), cwd: CWD },
    );
    assert.ok(findings.some(({ remediation }) => remediation === "Run it in the project's folder `web`"));
  });
});
