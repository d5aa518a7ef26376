import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Lesson, toLevel } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { scanSessions } from '../../src/loop/scan/scan-sessions.ts';

/** A prompt of the user, a command, or a file that the agent edits. */
type Row = { readonly says: string } | { readonly runs: string } | { readonly edits: string };

/** What the product learns from sessions of Claude Code, one after the other, of one project. */
async function learn(...sessions: readonly (readonly Row[])[]): Promise<readonly Lesson[]> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-said-'));
  const cwd = join(dir, 'shop');
  mkdirSync(cwd);
  const files = sessions.map((rows, n) => {
    const path = join(dir, `session-${n}.jsonl`);
    writeFileSync(path, rows.flatMap((row, i) => toLines(row, { session: `s${n}`, cwd, i, n })).join(''));
    const { size, mtimeMs } = statSync(path);
    return { agent: 'claude-code', path, size, mtimeMs };
  });
  const { storeFile, manifestFile, switchesFile } = toDataHome(dir);
  const store = await openStore({ url: '', file: storeFile });
  try {
    const parts = { store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile, onProgress: () => {} };
    for (const file of files) await scanSessions({ ...parts, files: [file] });
    return await store.listLessons();
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Place {
  readonly session: string;
  readonly cwd: string;
  readonly i: number;
  readonly n: number;
}

function toLines(row: Row, { session, cwd, i, n }: Place): readonly string[] {
  const id = `${session}-${i}`;
  const timestamp = new Date(Date.UTC(2026, 0, 2 + n, 10, i * 3)).toISOString();
  const line = (type: string, content: unknown): string =>
    `${JSON.stringify({ type, uuid: `${id}-${type}`, sessionId: session, cwd, timestamp, version: '2.1.0', message: { role: type, content } })}\n`;
  if ('says' in row) return [line('user', row.says)];
  const [name, input] =
    'runs' in row
      ? ['Bash', { command: row.runs }]
      : ['Edit', { file_path: join(cwd, row.edits), old_string: 'a', new_string: 'b' }];
  const result = { type: 'tool_result', tool_use_id: id, content: 'done', is_error: false };
  return [line('assistant', [{ type: 'tool_use', id, name, input }]), line('user', [result])];
}

function toBrief({ summary, status, priority, occurrences, sessions, tested }: Lesson) {
  return { summary, status, level: toLevel(priority), occurrences, sessions, falseAlarms: tested?.falseAlarms };
}

describe('what a user says', () => {
  it('is one draft that rises with every time it has to be said', async () => {
    const words = ['use pnpm, never npm', 'we use pnpm here, not npm', 'Never run npm install, always pnpm!'];
    const sessions = words.map((says) => [{ runs: 'npm install ms' }, { says }, { runs: 'pnpm add ms' }] as const);
    const levels: unknown[] = [];
    for (const count of [1, 2, 3]) {
      const [lesson, ...more] = await learn(...sessions.slice(0, count));
      assert.ok(lesson);
      assert.deepEqual(more, []);
      levels.push(toBrief(lesson));
    }
    const draft = { summary: 'Use `pnpm` instead of `npm`', status: 'draft', falseAlarms: 0 };
    assert.deepEqual(levels, [
      { ...draft, level: 'MEDIUM', occurrences: 1, sessions: 1 },
      { ...draft, level: 'HIGH', occurrences: 2, sessions: 2 },
      { ...draft, level: 'CRITICAL', occurrences: 3, sessions: 3 },
    ]);
  });

  it('rises when it is said again in one session, even in the same words', async () => {
    const [lesson, ...more] = await learn([
      { says: 'from now on always run make fmt before git commit' },
      { runs: 'git commit -m x' },
      { says: 'from now on always run make fmt before git commit' },
      { runs: 'git commit -m y' },
      { says: 'you forgot to run `make fmt` before committing' },
    ]);
    assert.ok(lesson);
    assert.deepEqual(more, []);
    assert.deepEqual([toLevel(lesson.priority), lesson.occurrences, lesson.status], ['CRITICAL', 3, 'draft']);
  });

  it('becomes a checklist when it names a file that was left out', async () => {
    const first = [
      { edits: 'plugin.json' },
      { says: 'you forgot to update marketplace.json when you bumped plugin.json' },
    ];
    const second = [
      { edits: 'plugin.json' },
      { edits: 'src/a.ts' },
      { says: 'marketplace.json again!! you forgot it' },
    ];
    const [lesson, ...more] = await learn(first, second);
    assert.ok(lesson);
    assert.deepEqual(more, []);
    assert.equal(lesson.type, 'checklist');
    assert.equal(lesson.summary, 'When you change `plugin.json`, also update `marketplace.json`');
    assert.equal(lesson.mistake, 'The user said: "you forgot to update marketplace.json when you bumped plugin.json"');
    assert.deepEqual(lesson.triggers.paths, ['**/plugin.json']);
    assert.deepEqual([lesson.status, toLevel(lesson.priority), lesson.origin.trust], ['draft', 'HIGH', 'stated']);
  });

  it('protects the session in which it was said', async () => {
    const [lesson] = await learn([{ says: 'never push to main directly' }, { runs: 'git status' }]);
    assert.deepEqual(
      lesson?.provisional?.map(({ sessionId }) => sessionId),
      ['s0'],
    );
  });

  it('is another draft when it is about something else', async () => {
    const lessons = await learn([
      { says: 'use pnpm, never npm' },
      { says: 'never push to main directly' },
      { says: 'always run make fmt before git commit' },
      { says: 'always run make test before git commit' },
    ]);
    assert.equal(lessons.length, 4);
  });

  it('is no draft when a tool, a file or a slash command says it', async () => {
    const words = 'from now on always run make fmt before git commit';
    const lessons = await learn(
      [{ runs: `echo "${words}"` }, { runs: 'git commit -m x' }],
      [{ says: `<command-name>/rules</command-name>\n${words}` }, { runs: 'git commit -m x' }],
      [{ says: `<system-reminder>${words}</system-reminder>` }, { runs: 'git commit -m x' }],
      [{ says: `\`\`\`\n${words}\n\`\`\`\nplease look at this` }, { runs: 'git commit -m x' }],
    );
    assert.deepEqual(
      lessons.map(({ summary }) => summary),
      [],
    );
  });
});
