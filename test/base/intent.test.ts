import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  findMainCommand,
  isSameCommand,
  isSameIntent,
  isSameSubCommand,
  MAX_SLOTS,
  SEVERAL_PREFIX,
  SLOT_CHARS,
  toIntentKey,
} from '../../src/base/shell/intent.ts';
import { ANY_SHELL, BASH, parseCommand } from '../../src/base/shell/parse-command.ts';
import type { SimpleCommand } from '../../src/base/shell/simple-command.ts';

const failed = (command: string, output = '') =>
  toIntentKey({ tool: 'shell', rawTool: 'Bash', command, outcome: 'failure', output });
const done = (command: string) => toIntentKey({ tool: 'shell', rawTool: 'Bash', command, outcome: 'success' });

/** The intents that the success settles, as a store separates them. */
function toSettled(key: string): readonly string[] {
  if (!key.startsWith(SEVERAL_PREFIX)) return [key];
  const slots = Array.from({ length: MAX_SLOTS }, (_, n) => SEVERAL_PREFIX.length + n * SLOT_CHARS);
  return slots.map((at) => key.slice(at, at + SLOT_CHARS).trimEnd()).filter((slot) => slot !== '');
}

const isSettled = (red: string, green: string, output?: string) => toSettled(done(green)).includes(failed(red, output));

/** The second command works, and the first one is still broken. */
const APART: readonly (readonly [string, string])[] = [
  ['npm run build', 'npm run lint'],
  ['npm run deploy', 'npm run seed'],
  ['gh pr create --fill', 'gh pr view'],
  ['ls && npm run build', 'ls'],
  ['git status; npm run deploy', 'git status'],
  ['python deploy.py', 'python --version'],
  ['python deploy.py', 'python seed.py'],
  ['python deploy.py', 'python -c "print(1)"'],
  ['docker compose up -d', 'docker compose ps'],
  ['uv run pytest', 'uv run ruff check'],
  ['npx prisma migrate', 'npx cowsay'],
  ['make deploy', 'make clean'],
  ['./deploy.sh prod', './deploy.sh staging'],
  ['terraform apply', 'terraform plan'],
  ['gh pr create', 'gh pr create --help'],
  ['pytest', 'pytest --version'],
  ['curl http://localhost:3000/x', 'curl https://example.org'],
  ['kubectl apply -f x', 'kubectl get pods'],
  ['pnpm migrate', 'pnpm install'],
  ['yarn workspace web deploy', 'yarn workspace web start'],
];

/** The same intent in other words. */
const SAME: readonly (readonly [string, string])[] = [
  ['npm run deploy', 'cd web && npm run deploy'],
  ['npm run deploy', 'timeout 60 npm run deploy 2>&1 | tail -5'],
  ['npm run deploy', 'FOO=1 npm run deploy; echo done'],
  ['npm run deploy', 'sudo env X=1 pnpm deploy:x || yarn deploy'],
  ['python tools/seed.py', 'uv run seed.py'],
  ['python tools/seed.py', 'poetry run python3 ./tools/seed.py'],
  ['rails db:migrate', 'bundle exec rails db:migrate'],
  ['prisma migrate deploy', 'npx -y prisma@5 migrate deploy'],
  ['git -C x push', 'git push'],
  ['echo x | docker login --password-stdin', 'docker login'],
  ['make deploy', 'git pull && make deploy && git push'],
  ['git commit -m x', 'git add . && git commit -m y && git push'],
];

/** A failing check, and a passing one that settles it. */
const CHECKS: readonly (readonly [string, string])[] = [
  ['npm run test', 'npm test'],
  ['npx vitest run a.test.ts', 'npm test'],
  ['node --test test', 'node --test test/a.test.js'],
  ['node --test a.test.js', 'npm test'],
  ['pytest tests -q', 'pytest -q'],
  ['pytest -q tests', 'pytest -q tests/test_a.py'],
  ['pytest tests/a.py::t', 'python -m pytest'],
  ['npm test -- a', 'npm run test:all'],
  ['yarn jest a', 'yarn test'],
  ['go test ./a', 'make test'],
  ['python manage.py test', 'uv run manage.py test app'],
  ['./gradlew test', 'mvn -q test'],
  ['npx tsc --noEmit', 'npm run typecheck'],
  ['npx eslint .', 'npm run lint:fix'],
  ['uv run ruff check', 'uvx ruff check --fix'],
  ['npm run build', 'npm run lint && npm run build && npm test'],
  ['cargo build', 'cargo build --release'],
];

describe('the intent of a call', () => {
  for (const [red, green] of APART) {
    it(`\`${green}\` does not settle \`${red}\``, () => assert.equal(isSettled(red, green), false));
  }
  for (const [red, green] of [...SAME, ...CHECKS]) {
    it(`\`${green}\` settles \`${red}\``, () => assert.equal(isSettled(red, green), true));
  }

  it('is that of the failing part of a chain, if the output shows it', () => {
    const output = "ls: cannot access 'x': No such file or directory";
    assert.equal(isSettled('ls x && npm run deploy', 'ls', output), true);
    assert.equal(isSettled('ls x && npm run deploy', 'npm run deploy', output), false);
  });

  it('is that of the program whose failure was hidden', () => {
    const call = {
      tool: 'shell',
      rawTool: 'Bash',
      command: 'npm run deploy | tail; git push',
      outcome: 'failure',
      masked: true,
    } as const;
    assert.equal(toIntentKey({ ...call, signature: { program: 'npm' } }), done('npm run deploy'));
    assert.equal(toIntentKey({ ...call, signature: { program: 'git' } }), done('git push'));
  });

  it('is the file of a file tool, or the tool itself if there is no file', () => {
    const edit = { tool: 'edit', rawTool: 'Edit' } as const;
    assert.notEqual(toIntentKey({ ...edit, targetPath: '/a' }), toIntentKey({ ...edit, targetPath: '/b' }));
    assert.notEqual(
      toIntentKey({ tool: 'other', rawTool: 'mcp__a__read' }),
      toIntentKey({ tool: 'other', rawTool: 'mcp__b__write' }),
    );
  });

  it('is parsed for the shell of the tool', () => {
    const call = { tool: 'shell', rawTool: 'PowerShell', command: 'npm.cmd run deploy' } as const;
    assert.equal(toIntentKey(call), done('npm run deploy'));
  });

  it('fits its slot, whatever the command is; a failure has one intent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (command) => {
        assert.ok(failed(command).length <= SLOT_CHARS);
        assert.match(done(command), /^[ -~]*$/);
        assert.ok(toSettled(done(command)).every((slot) => slot.length <= SLOT_CHARS));
      }),
    );
    const long = failed(`git ${'x'.repeat(99)}`);
    assert.ok(long.length <= SLOT_CHARS);
    assert.notEqual(long, failed(`git ${'x'.repeat(100)}`));
  });
});

/** Which of the three comparisons hold. */
const PAIRS: readonly (readonly [string, string, ...string[]])[] = [
  ['git push -f', 'git push "-f"', 'command', 'sub-command', 'intent'],
  ['git push -f', 'git push origin', 'sub-command', 'intent'],
  ['git push', 'git pull'],
  ['uv run pytest a.py', 'pytest b.py', 'intent'],
  ['pytest a.py', 'npm test', 'intent'],
  ['npx tsc', 'tsc', 'intent'],
  ['curl https://a.example/x', 'curl https://b.example/x', 'sub-command'],
  ['python a.py', 'python b.py', 'sub-command'],
  ['gh pr create', 'gh pr create --help', 'sub-command'],
  ['go run ./cmd/a', 'go run ./cmd/b', 'sub-command'],
  ['$RUN x', '$RUN x'],
];

function get(line: string): SimpleCommand {
  const [command] = parseCommand(line, ANY_SHELL);
  assert.ok(command);
  return command;
}

describe('comparing commands and calls', () => {
  for (const [a, b, ...same] of PAIRS) {
    it(`\`${a}\` and \`${b}\`: ${same.join(', ') || 'nothing'} in common`, () => {
      const [one, other] = [get(a), get(b)];
      const intents = [a, b].map((command) => ({ tool: 'shell', rawTool: 'Bash', command }) as const);
      const isNamed = one.program !== '';
      const found = [
        ...(isSameCommand(one, other) ? ['command'] : []),
        ...(isSameSubCommand(one, other) ? ['sub-command'] : []),
        ...(isNamed && intents[0] && intents[1] && isSameIntent(intents[0], intents[1]) ? ['intent'] : []),
      ];
      assert.deepEqual(found, same);
    });
  }

  it('finds the intent of a failed call among those of a line with several commands', () => {
    const later = { tool: 'shell', rawTool: 'Bash', command: 'git add . && git commit -m x && git push' } as const;
    assert.equal(
      isSameIntent({ tool: 'shell', rawTool: 'Bash', command: 'git push', outcome: 'failure' }, later),
      true,
    );
    assert.equal(
      isSameIntent({ tool: 'shell', rawTool: 'Bash', command: 'git pull', outcome: 'failure' }, later),
      false,
    );
  });

  it('uses the stored key of a call whose command is no longer known', () => {
    const later = { tool: 'shell', rawTool: 'Bash', command: 'pytest -q' } as const;
    assert.equal(isSameIntent({ tool: 'shell', rawTool: 'Bash', intentKey: 'check test' }, later), true);
    assert.equal(isSameIntent({ tool: 'shell', ...BASH }, { tool: 'shell', ...BASH }), false);
  });

  it('accepts for a file tool the same file, one of its name elsewhere, and files in the folder', () => {
    const read = (targetPath: string) => ({ tool: 'read', rawTool: 'Read', targetPath }) as const;
    assert.equal(isSameIntent(read('/repo/a.ts'), read('/repo/a.ts')), true);
    assert.equal(isSameIntent(read('/repo/a.ts'), read('/repo/src/a.ts')), true);
    assert.equal(isSameIntent(read('/repo/src/'), read('/repo/src/a.ts')), true);
    assert.equal(isSameIntent(read('/repo/src/'), read('/repo/lib/')), false);
    assert.equal(isSameIntent(read('/repo/a.ts'), read('/repo/b.ts')), false);
    assert.equal(isSameIntent(read('/repo/a.ts'), { ...read('/repo/a.ts'), tool: 'edit' }), false);
  });
});

describe('the main command of a line', () => {
  const main = (line: string) => findMainCommand(parseCommand(line, ANY_SHELL))?.text;

  it('is the first that does more than prepare the shell', () => {
    assert.equal(main('cd web && export A=1; npm test | tail'), 'npm test');
    assert.equal(main("printf 'y' | apt install jq"), 'apt install jq');
    assert.equal(main('cd web'), 'cd web');
    assert.equal(main('$RUN'), undefined);
  });
});
