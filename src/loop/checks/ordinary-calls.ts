/** Calls as any project has them, by tool, with as little in common as possible: a trigger that holds for nearly all of them is none. */

import type { ToolInput } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { type CallView, toWrittenView } from '../../base/triggers/call-view.ts';

const COMMANDS = [
  'ls',
  'pwd',
  'git status',
  'git commit -m "Fix the totals (#12)"',
  'cd web && npm test',
  'npm ci --no-audit',
  'make -j4 build',
  "python3 -c 'print(1 + 1)'",
  'pytest tests/test_cart.py -k "empty or full" -x',
  'cargo clippy --all-targets -- -D warnings',
  'go test ./...',
  'docker compose up -d db',
  "grep -rn 'TODO' src | head -20",
  'find . -name "*.orig" -delete',
  'curl -sS http://localhost:8080/health',
  'cat README.md',
  "sed -n '10,40p' lib/Router.PHP",
  'mkdir -p build/out',
  'rm notes.txt',
  'FOO=1 ./run.sh',
  'for f in *.sql; do wc -l "$f"; done',
  'psql -c "select count(*) from orders"',
  'echo done',
  'kill 4242',
];

const FILES: readonly (readonly [path: string, before: string, after: string])[] = [
  ['/home/ann/shop/src/cart.ts', 'const a = 1;', 'export function total(items: Item[]): number {\n  return 0;\n}\n'],
  ['/home/ann/shop/README.md', '# Shop', '# The shop\n\nSells things.\n'],
  ['/srv/app/models/user.py', 'x', 'import os\n\nclass User:\n    pass\n'],
  ['/srv/app/package.json', '"a"', '{ "name": "app" }'],
  ['Makefile', 'all:', 'all: build\n\tcc -o a a.c\n'],
  ['db/migrations/0004_add_index.sql', ';', 'CREATE INDEX i ON orders (user_id);'],
  ['C:\\work\\Site\\Page.HTML', '<p>', '<p class="x">Hello</p>'],
  ['.github/workflows/ci.yml', 'on:', 'on: [push]\n'],
  ['/etc/hosts', '#', '127.0.0.1 local'],
  ['notes', '1', '日本 🙂'],
];

const PATTERNS: readonly (readonly [glob: string, text: string])[] = [
  ['**/*.ts', 'TODO'],
  ['src/**/test_*.py', 'def main\\('],
  ['*.md', 'install'],
  ['package.json', '"version"'],
  ['docs/*', '^## '],
  ['{a,b}/index.html', 'href=.*'],
];

function toCall(tool: ToolName, input: object, told: Omit<ToolInput, 'json'> = {}): CallView {
  return toWrittenView(tool, { ...told, json: JSON.stringify(input) });
}

/** Other tools are called seldom: whoever names one means it. */
export const ORDINARY_CALLS: ReadonlyMap<ToolName, readonly CallView[]> = new Map<ToolName, readonly CallView[]>([
  ['shell', COMMANDS.map((command) => toCall('shell', { command }, { command }))],
  ['read', FILES.map(([path]) => toCall('read', { file_path: path }, { path }))],
  [
    'edit',
    FILES.map(([path, old_string, content]) =>
      toCall('edit', { file_path: path, old_string, new_string: content }, { path, content }),
    ),
  ],
  ['write', FILES.map(([path, , content]) => toCall('write', { file_path: path, content }, { path, content }))],
  ['glob', PATTERNS.map(([pattern]) => toCall('glob', { pattern }))],
  ['grep', PATTERNS.map(([, pattern]) => toCall('grep', { pattern }))],
]);
