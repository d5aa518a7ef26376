/**
 * Which lessons fire on which calls, as agents make them: a table with the call on the left and its lessons on the right.
 * An empty list is as much a promise as a full one.
 */
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { describe, it } from 'node:test';
import type { EventOf, StartedCall } from '../../src/base/model/event.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { toCallView } from '../../src/base/triggers/call-view.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const TRIGGERS: Readonly<Record<string, Triggers>> = {
  'gh-stat': { tools: ['shell'], programs: [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat'] } }] },
  'gh-json-field': {
    tools: ['shell'],
    programs: [{ name: 'gh', sub: ['pr', 'view'], args: { all: ['--json', 'merged'] } }],
  },
  'pytest-plain': { tools: ['shell'], programs: [{ name: 'pytest', args: { none: ['-p', '--no-header'] } }] },
  'npm-dev': { tools: ['shell'], programs: [{ name: 'npm', sub: ['run', 'dev'] }] },
  'rm-rf': { tools: ['shell'], programs: [{ name: 'rm', args: { any: ['-rf', '-fr'] } }] },
  'push-force': {
    tools: ['shell'],
    programs: [{ name: 'git', sub: ['push'], args: { any: ['--force', '-f'], none: ['--force-with-lease'] } }],
  },
  'cargo-lib': { tools: ['shell'], programs: [{ name: 'cargo', sub: ['test'], args: { any: ['--lib'] } }] },
  'include-glob': { tools: ['shell'], programs: [{ name: 'grep' }], command: { match: ['--include=\\*'] } },
  endpoint: {
    tools: ['shell'],
    programs: [{ name: 'gh', sub: ['api'] }],
    command: { match: ['repos/[^/]+/[^/]+/pulls/\\d+/comments/\\d+'] },
  },
  'sed-i': { tools: ['shell'], programs: [{ name: 'sed', args: { any: ['-i'] } }] },
  python2: { tools: ['shell'], programs: [{ name: 'python' }], unless: { paths: ['**/legacy/**'] } },
  // Named by a text alone.
  wipe: { tools: ['shell'], command: { match: ['rm -rf'] } },
  'old-api': { tools: ['shell'], command: { match: ['api\\.shop\\.example/v1'] } },
  'wip-commit': { tools: ['shell'], command: { match: ['git commit.*WIP'] } },
  'shown-token': { tools: ['shell'], command: { match: ['SHOP_TOKEN'] } },
  'shown-secret': { tools: ['shell'], command: { match: ['SECRET'] } },
  'drop-table': { tools: ['shell'], command: { match: ['.*DROP TABLE'] } },
  'gradle-lint': { tools: ['shell'], programs: [{ name: 'gradle', sub: ['lint'] }] },
  'compose-up': { tools: ['shell'], programs: [{ name: 'docker', sub: ['compose', 'up'] }] },
  migration: { tools: ['edit', 'write'], paths: ['**/migrations/*.sql'] },
  'any-type': {
    tools: ['edit', 'write'],
    paths: ['**/*.ts'],
    content: { match: [': any\\b'], unless: ['biome-ignore'] },
  },
  'lib-file': { tools: ['edit'], paths: ['./lib/*.mjs'] },
  'lone-file': { tools: ['edit'], paths: ['./*.toml'] },
  'home-note': { tools: ['edit'], paths: ['~/notes/*.md', '~/*.rc'] },
  'env-file': { tools: ['read', 'edit', 'write'], paths: ['**/.env', '.env'] },
};

const LESSONS: readonly Lesson[] = Object.entries(TRIGGERS).map(([slug, triggers]) =>
  makeTestLesson({ id: `les_${slug}`, slug, triggers, contentHash: slug, tags: [] }),
);

const bash = (command: string): StartedCall => ({
  callId: 'c',
  tool: 'shell',
  rawTool: 'Bash',
  input: { command, json: JSON.stringify({ command }) },
});
const powerShell = (command: string, rawTool = 'PowerShell'): StartedCall => ({ ...bash(command), rawTool });
const file = (tool: 'read' | 'edit' | 'write', path: string, content?: string): StartedCall => ({
  callId: 'c',
  tool,
  rawTool: tool,
  input: { path, json: '{}', ...(content === undefined ? {} : { content }) },
});

type Row = readonly [call: string | StartedCall, ...firing: string[]];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'the mistake itself, however it is typed': [
    ['gh pr diff 12 --stat', 'gh-stat'],
    ['gh pr diff --stat 12', 'gh-stat'],
    ['gh pr diff 12 --stat=80', 'gh-stat'],
    ['gh -R acme/shop pr diff 12 --stat', 'gh-stat'],
    ['GH_PAGER=cat gh pr diff 12 "--stat"', 'gh-stat'],
    ['/usr/local/bin/gh pr diff 12 --stat', 'gh-stat'],
    ['gh pr view 3 --json merged', 'gh-json-field'],
    ['docker compose -f dev.yml --profile db up -d', 'compose-up'],
    ['cargo +nightly test --lib', 'cargo-lib'],
    ['pytest tests/', 'pytest-plain'],
    ['cargo test --lib parser', 'cargo-lib'],
    ['git push --force origin main', 'push-force'],
    ['git -C ../shop push -f', 'push-force'],
    ['gh api repos/acme/shop/pulls/7/comments/99', 'endpoint'],
    ["sed -i 's/a/b/' config.ini", 'sed-i'],
  ],
  'and not what is near it': [
    ['gh pr diff 12 --name-only'],
    ['gh pr view 12 --stat'],
    ['gh pr diff 12 --statistics'],
    ['gh pr view 3 --json mergedAt'],
    ['gh search prs --merged'],
    ['git diff --stat'],
    ['pytest --no-header tests/'],
    ['cargo test --workspace'],
    ['cargo build --lib'],
    ['git push --force-with-lease origin main'],
    ['git push --force --force-with-lease'],
    ['git fetch --force'],
    ['gh api repos/acme/shop/pulls/7/comments'],
    ["sed 's/a/b/' config.ini"],
    ['npm run build'],
    ['docker compose logs -f up'],
    ['gradle -x lint test'],
  ],
  'inside what runs other commands': [
    ['cd web && npm run dev', 'npm-dev'],
    ['npm ci; npm run dev &', 'npm-dev'],
    ['(cd web; npm run dev)', 'npm-dev'],
    ['sudo -u app npm run dev', 'npm-dev'],
    ['env PORT=3000 npm run dev', 'npm-dev'],
    ['timeout 30 npm run dev', 'npm-dev'],
    ["bash -c 'npm run dev'", 'npm-dev'],
    ["sh -lc 'cd web && npm run dev'", 'npm-dev'],
    ['if [ -d web ]; then npm run dev; fi', 'npm-dev'],
    ['for d in a b; do rm -rf "$d"; done', 'rm-rf', 'wipe'],
    ['find . -name node_modules | xargs rm -rf', 'rm-rf', 'wipe'],
    ['gh pr diff 12 --stat | head -20', 'gh-stat'],
    ['echo start && gh pr diff 12 --stat || true', 'gh-stat'],
    ['files=$(gh pr diff 12 --stat)', 'gh-stat'],
    ['! pytest -q', 'pytest-plain'],
    ['time pytest -q 2>&1 | tail -5', 'pytest-plain'],
    ['git stash && git push -f && git stash pop', 'push-force'],
    ['bash -euo pipefail -c "npm run dev"', 'npm-dev'],
    ["env -S'npm run dev'", 'npm-dev'],
    ['env -iS "npm run dev"', 'npm-dev'],
    ['sudo --chdir /x npm run dev', 'npm-dev'],
    ['sudo -uphp npm run dev', 'npm-dev'],
    ['ls | xargs -IP rm -rf P', 'rm-rf', 'wipe'],
    ['xargs --arg-file f rm -rf', 'rm-rf', 'wipe'],
    ['su -c "npm run dev" app', 'npm-dev'],
    ['watch -n 5 npm run dev', 'npm-dev'],
    ['flock /tmp/dev npm run dev', 'npm-dev'],
    ['pwsh -c "npm run dev"', 'npm-dev'],
  ],
  'never words that only stand in a command': [
    ['git commit -m "run pytest"'],
    ["grep 'npm run dev' package.json"],
    ['echo "rm -rf"'],
    ["echo 'rm -rf /'"],
    ['printf "%s\\n" "git push --force"'],
    ['git log --grep="git push --force"'],
    ["rg 'gh pr diff .* --stat' docs"],
    ['cat <<EOF\nnpm run dev\nrm -rf build\nEOF'],
    ["cat > notes.md <<'EOF'\npytest tests/\ngh pr diff 1 --stat\nEOF"],
    ['# npm run dev\nls'],
    ['ls # then rm -rf build'],
    ['gh pr create --title "pytest" --body "npm run dev"'],
    ['gh issue comment 4 --body "use gh pr diff --stat"'],
    ['alias dev="npm run dev"'],
    ['which pytest'],
    ['command -v pytest'],
    ['man rm'],
    ['test -f pytest.ini'],
    ['npm help run'],
  ],
  'never where another machine does it': [
    ['ssh host npm run dev'],
    ['ssh host "cd web && npm run dev"'],
    ['docker exec -it web npm run dev'],
    ['kubectl exec pod -- npm run dev'],
  ],
  'by a text in a command, not by one that is said, printed or searched for': [
    ['rm -rf build', 'rm-rf', 'wipe'],
    ['sh -c "rm -rf build"', 'rm-rf', 'wipe'],
    ['ssh host "rm -rf build"', 'wipe'],
    ['echo "rm -rf /"'],
    ['echo rm -rf /'],
    ['echo -n " rm -rf /" > notes'],
    ['X=1 printf "%s" "rm -rf"'],
    ['git commit -m "rm -rf"'],
    ['git commit -am "no more rm -rf" --no-verify'],
    ['git commit --message="rm -rf"'],
    ['git commit -m "$(cat <<\'EOF\'\nno rm -rf\nEOF\n)"'],
    ['gh pr create --title "rm -rf" --body \'rm -rf\''],
    ['rg "rm -rf" docs'],
    ['git log --grep="rm -rf"'],
    ['echo "rm -rf" && rm -rf x', 'rm-rf', 'wipe'],
    ['git commit -m "rm -rf" && ls'],
    ['curl "https://api.shop.example/v1/orders"', 'old-api'],
    ["curl -H 'A: b' 'https://api.shop.example/v1/orders'", 'old-api'],
    ['git commit -m "WIP"', 'wip-commit'],
    ['echo "git commit WIP"'],
    ['echo "$SHOP_TOKEN"', 'shown-token'],
    [`echo "token: \${SHOP_TOKEN}"`, 'shown-token'],
    ['echo "set SHOP_TOKEN first"'],
    ['psql -c "DROP TABLE users"', 'drop-table'],
    ['echo "DROP TABLE users"'],
    ['echo "DROP TABLE users" | psql', 'drop-table'],
    ['echo "$SHOP_SECRET"', 'shown-secret'],
    ['echo $SHOP_SECRET', 'shown-secret'],
    ['echo "SECRET: $SECRET"', 'shown-secret'],
    ["git commit -m 'mask $SECRET'"],
    ["git commit -m 'cost 5$ rm -rf'"],
    ['python3 -m "rm -rf"', 'wipe'],
    ['grep x "rm -rf"', 'wipe'],
    ['git grep "rm -rf"'],
    ['gh pr create -t "rm -rf" -b "rm -rf"'],
    ['pgrep -f "rm -rf"'],
    ['cat <<< "rm -rf"'],
    ['echo "rm -rf x" | sudo sh', 'wipe'],
    ['echo "rm -rf x" | ssh host', 'wipe'],
    ['echo "rm -rf x" | xargs -n 2 run', 'wipe'],
    ['echo "rm -rf x" | grep rm'],
  ],
  'at what PowerShell runs': [
    [powerShell('npm run dev'), 'npm-dev'],
    [powerShell('& npm run dev'), 'npm-dev'],
    [powerShell('$r = npm run dev'), 'npm-dev'],
    [powerShell('$r = npm run dev', 'shell'), 'npm-dev'],
    [powerShell('try { npm run dev } catch { }'), 'npm-dev'],
    [powerShell('cd web; gh pr diff 1 --stat | Out-String', 'run_shell_command'), 'gh-stat'],
    [powerShell("$x = @'\nit's a text\ngh pr diff 1 --stat\n'@\nSet-Content notes.md $x")],
    [powerShell("$x = @'\nit's a text\ngh pr diff 1 --stat\n'@\nSet-Content notes.md $x", 'shell')],
    [powerShell('<#\ngh pr diff 1 --stat\n#>\nls')],
    [powerShell('<#\ngh pr diff 1 --stat\n#>\nls', 'exec_command')],
    [powerShell('Write-Host "say `"hi`"; gh pr diff 1 --stat"')],
    [powerShell('Write-Host "rm -rf"')],
    [powerShell('write-host "rm -rf"')],
    [powerShell('Select-String "rm -rf" run.sh')],
    [powerShell('NPM run dev'), 'npm-dev'],
    [powerShell('Web-App/setup.sh && npm run dev', 'shell'), 'npm-dev'],
  ],
  'by how a word is quoted': [
    ['grep -rn TODO --include=*.go .', 'include-glob'],
    ["grep -rn TODO --include='*.go' ."],
    ['grep -rn TODO --include="*.go" .'],
  ],
  'at files': [
    [file('edit', '/srv/shop/db/migrations/0007-orders.sql', 'ALTER TABLE'), 'migration'],
    [file('write', 'migrations/1.sql', 'CREATE TABLE'), 'migration'],
    [file('read', '/srv/shop/db/migrations/0007-orders.sql')],
    [file('edit', '/srv/shop/db/migrations/README.md', 'text')],
    [file('edit', '/srv/shop/src/cart.ts', 'const items: any = []'), 'any-type'],
    [file('edit', '/srv/shop/src/cart.ts', 'const items: unknown = []')],
    [file('edit', '/srv/shop/src/cart.ts', '// biome-ignore x\nlet y: any')],
    [file('write', '/srv/shop/src/cart.tsx', 'const items: any = []')],
    [file('read', '/srv/shop/.env'), 'env-file'],
    [file('edit', '.env', 'KEY=1'), 'env-file'],
    [file('read', '/srv/shop/.env.example')],
    ['cat .env'],
    [file('edit', '/srv/shop/lib/a.mjs', 'x'), 'lib-file'],
    [file('edit', 'lib/a.mjs', 'x'), 'lib-file'],
    [file('edit', '/srv/shop/lib/deep/a.mjs', 'x')],
    [file('edit', '/srv/shop/a.toml', 'x'), 'lone-file'],
    [file('edit', `${homedir()}/notes/a.md`, 'x'), 'home-note'],
    [file('edit', `${homedir()}/shop.rc`, 'x'), 'home-note'],
    [file('edit', '/elsewhere/notes/a.md', 'x')],
  ],
  'at two mistakes at once, the best first': [
    ['gh pr diff 12 --stat && git push --force', 'gh-stat', 'push-force'],
    ['rm -rf dist; npm run dev', 'npm-dev', 'rm-rf', 'wipe'],
  ],
};

function listFiringSlugs(call: StartedCall): readonly string[] {
  const event: EventOf<'call-started'> = {
    agent: 'claude-code',
    sessionId: 's',
    contextId: '',
    at: '2026-01-02T00:00:00.000Z',
    source: 'hook',
    kind: 'call-started',
    cwd: '/srv/shop',
    ...call,
  };
  return matchLessons(MANIFEST, toCallView(event, 'prj_shop')).map(({ lesson }) => lesson.slug);
}

const MANIFEST =
  openManifest(
    compileManifest({
      lessons: LESSONS,
      settings: DEFAULT_SETTINGS,
      generatedAt: '2026-01-01T00:00:00.000Z',
    }),
  ) ?? assert.fail('not a manifest');

describe('a lesson fires', () => {
  for (const [group, rows] of Object.entries(ROWS))
    it(group, () => {
      for (const [call, ...firing] of rows) {
        const made = typeof call === 'string' ? bash(call) : call;
        assert.deepEqual(listFiringSlugs(made), firing, made.input.command ?? `${made.tool} ${made.input.path}`);
      }
    });

  it('in a table that is long enough to mean something', () => {
    assert.ok(Object.values(ROWS).flat().length >= 60);
  });
});
