/** What a person gives to a lesson: no secret in any trigger, bounded, and nothing that steers the terminal. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { containsToken } from '../../src/base/secrets/redaction.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { findSecretField, findTriggerSecret } from '../../src/loop/checks/lesson-secrets.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { readImportText } from '../../src/loop/import/parse-import.ts';
import type { CommandInput, Handler } from '../../src/surfaces/cli/command.ts';
import { run as add } from '../../src/surfaces/cli/lessons/add.ts';
import { runReject as reject } from '../../src/surfaces/cli/lessons/change-lessons.ts';
import { run as list } from '../../src/surfaces/cli/lessons/list.ts';
import { run as exportAll } from '../../src/surfaces/cli/lessons/share/export.ts';
import { run as show } from '../../src/surfaces/cli/lessons/show.ts';
import { readBounded, readLines } from '../../src/surfaces/cli/terminal.ts';
import { toPlainText } from '../../src/surfaces/cli/text.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const SECRET = 'Xk29fjQ81mzPq';
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'oncebitten-input-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const give = (handler: Handler, fields: Partial<CommandInput>) =>
  handler({
    home: toDataHome(join(dir, 'data')),
    arguments: [],
    options: {},
    env: { PATH: process.env.PATH ?? '' },
    cwd: dir,
    readStdin: async () => '',
    readLines: async function* () {},
    progress: () => {},
    ...fields,
  });
const addFlags = async (options: object): Promise<Lesson> =>
  (await give(add, { options: { summary: 'a', fix: 'b', program: ['mysql'], ...options } })).json as Lesson;
const addJson = async (lesson: object): Promise<Lesson> =>
  (await give(add, { options: { stdin: true }, readStdin: async () => JSON.stringify({ summary: 'a', ...lesson }) }))
    .json as Lesson;
/** Of whatever was written. */
const holds = (text: string): boolean =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .some((one) => readFileSync(join(one.parentPath, one.name)).includes(text));

it('a token that no word announces is known by its form', () => {
  const bot = `M${'a1'.repeat(12)}.Gabcde.${'x9'.repeat(19)}`;
  assert.ok(containsToken(JSON.stringify([bot])));
  assert.ok(!containsToken(JSON.stringify(['Module.Gabcde.handler'])));
});

it('a lesson as JSON may have a body, which says its type and what to do', async () => {
  const triggers = { tools: ['edit'], paths: ['**/package.json'] };
  const items = ['Change `plugin.json`', 'Run `npm run generate`'];
  const { type, body, remediation, priority } = await addJson({ triggers, body: { title: 'Bump', items } });
  assert.deepEqual([type, body], ['checklist', { title: 'Bump', items }]);
  assert.deepEqual([remediation, priority], [items.join('; '), 7]);
  const other = { ...triggers, paths: ['**/a.json'] };
  const loss = await addJson({ triggers: other, body: { constraint: 'c' }, tags: ['severity:data-loss'] });
  assert.deepEqual([loss.type, loss.priority], ['requirement', 8]);
  await assert.rejects(addJson({ triggers, type: 'pattern', body: { constraint: 'd' } }), /body of a requirement/);
  await assert.rejects(addJson({ triggers, body: { steps: ['x'] } }), /body/);
});

it('lessons show says by which items a procedure is judged', async () => {
  const items = ['Change `plugin.json`', 'Think of the users'];
  const { slug } = await addJson({ triggers: { tools: ['edit'], paths: ['a'] }, body: { title: 'x', items } });
  const { json, text } = await give(show, { arguments: [slug] });
  assert.deepEqual((json as { judgedBy: unknown }).judgedBy, [{ item: 1, text: 'Change `plugin.json`' }]);
  assert.match(text, /judged by +Change `plugin\.json`/);
});

it('nearly the same checklist is not added twice', async () => {
  const add = (paths: string, items: readonly string[]) =>
    addJson({ triggers: { tools: ['edit'], paths: [paths] }, body: { title: 'Bump', items } });
  const { slug } = await add('a.json', ['Update `plugin.json`', 'Update CHANGELOG.md', 'Run `npm test`']);
  const again = add('b.json', ['Run `npm test`', 'Change `plugin.json`', 'Update the CHANGELOG.md']);
  await assert.rejects(again, new RegExp(`nearly the same checklist as ${slug}`));
  await add('b.json', ['Run `npm test`', 'Tell support', 'Wait for the build']);
});

it('no secret of a body reaches the disk', async () => {
  const body = { title: 'x', items: [`mysql --password=${SECRET} -e x`, 'run it'] };
  await addJson({ triggers: { tools: ['edit'], paths: ['a'] }, body });
  assert.equal(holds(SECRET), false);
});

it('a lesson may ask for words, with a flag or as JSON', async () => {
  const { triggers } = await addFlags({ keyword: ['release', 'force push'] });
  assert.deepEqual(triggers.actionKeywords, ['release', 'force push']);
  const given = {
    tools: ['edit'],
    contextKeywords: ['docs'],
    workflows: ['ship'],
    subagents: ['writer'],
    unless: { keywords: ['draft'], paths: ['old/**'], workflows: ['try'] },
  } as const;
  assert.deepEqual((await addJson({ triggers: given })).triggers, given);
});

describe('a secret in a trigger', () => {
  const text = (part: string, source: string): [string, Triggers] => [part, { [part]: { match: [source] } }];
  const secrets: readonly [part: string, triggers: Triggers][] = [
    ['programs', { programs: [{ name: 'mysql', args: { any: ['--password=hunter2secret'] } }] }],
    ['programs', { programs: [{ name: 'mysql', args: { none: [`-p${SECRET}`] } }] }],
    ['programs', { programs: [{ name: 'mysql', args: { all: ['--password', SECRET] } }] }],
    text('command', `mysql --password=${SECRET}`),
    text('command', `mysql --password[= ]${SECRET}`),
    text('command', `mysql .*-p${SECRET}`),
    text('command', `\\-\\-password(?:=|\\s+)${SECRET}`),
    text('line', `PGPASSWORD=${SECRET} psql`),
    text('content', `api_key = "${SECRET}"`),
    text('content', `api_key\\s*=\\s*["']?${SECRET}`),
    text('input', `postgres://me:${SECRET}@db`),
    ['command', { command: { match: ['x'], unless: [`token=${SECRET}`] } }],
    ['paths', { paths: [`/srv/PASSWORD=${SECRET}/*`] }],
    ['actionKeywords', { actionKeywords: [`password=${SECRET}`] }],
    ['workflows', { workflows: [`password=${SECRET}`] }],
    ['unless', { programs: [{ name: 'x' }], unless: { keywords: [`password=${SECRET}`] } }],
    ['unless', { programs: [{ name: 'x' }], unless: { paths: [`/srv/PASSWORD=${SECRET}/*`] } }],
    [
      'unless',
      { programs: [{ name: 'x' }], unless: { programs: [{ name: 'mysql', args: { all: [`-p${SECRET}`] } }] } },
    ],
    ['session', { programs: [{ name: 'x' }], session: { unless: [{ ran: `mysql --password=${SECRET}` }] } }],
  ];
  const scan = makeSecretScan({ log: () => {} });
  for (const [part, triggers] of secrets)
    it(`is refused, shared and taken nowhere: ${JSON.stringify(triggers)}`, async () => {
      assert.equal(findTriggerSecret(triggers), `triggers.${part}`);
      assert.equal(await findSecretField(makeTestLesson({ triggers }), scan), `triggers.${part}`);
      await assert.rejects(
        addJson({ triggers }),
        (error) => error instanceof UserError && error.reason.includes(`triggers.${part}`),
      );
      assert.ok(!holds(SECRET));
    });

  it('is refused as a flag', async () => {
    await assert.rejects(addFlags({ with: ['--password=hunter2secret'] }), /has a secret in its triggers\.programs/);
  });

  it('that is kept from earlier is not exported', async () => {
    await addFlags({});
    const store = await openSqliteStore(toDataHome(join(dir, 'data')).storeFile);
    const triggers = { command: { match: [`mysql --password=${SECRET}`] } };
    await store.saveLesson(makeTestLesson({ id: 'les_old', slug: 'old', triggers }), {
      ...{ by: 'user:me', reason: 'x', at: '2026-03-03T00:00:00.000Z' },
    });
    await store.close();
    const { text: told } = await give(exportAll, {});
    assert.ok(!told.includes(SECRET));
  });
});

describe('a pattern about secrets', () => {
  const sources = [
    ...['--password', '--password[= ]\\S+', 'password=.*', 'password=', 'password=$', '--token(?:=|\\s+)\\S'],
    ...['(?:password|token)=\\S+', 'api_key\\s*=\\s*["\'][A-Za-z0-9]{16,}["\']', 'mysql .*-p\\S+', '-p\\b'],
    ...['password=(?:\\w+|\\d+)', 'password\\s*[:=]\\s*(\\S+)', '--password=\\$\\w+', 'https?://\\w+:\\w+@'],
    ...['^docker login .*(-p|--password)[= ]', 'token: string', 'curl .*-u \\S+:\\S+'],
  ];
  for (const source of sources)
    it(`is no secret: ${source}`, () => {
      assert.equal(findTriggerSecret({ command: { match: [source] } }), undefined);
    });

  it('is none as words and paths either', () => {
    const programs = [{ name: 'mysql', args: { any: ['--password', '-p', 'list'] } }];
    assert.equal(findTriggerSecret({ programs }), undefined);
    assert.equal(findTriggerSecret({ paths: ['/srv/PASSWORD=*/x', '**/[token]/page.tsx'] }), undefined);
  });

  it('may be any text: it is looked at, and that is all', () => {
    fc.assert(fc.property(fc.string(), (source) => void findTriggerSecret({ line: { match: [source] } })));
  });
});

it('a reason is kept without its secrets', async () => {
  const { slug } = await addFlags({});
  const reason = `password=${SECRET} AKIAIOSFODNN7EXAMPLE`;
  await give(reject, { arguments: [slug], options: { reason } });
  assert.ok(!holds(SECRET) && !holds('AKIAIOSFODNN7EXAMPLE'));
  assert.match((await give(show, { arguments: [slug] })).text, /password=\[redacted:/);
});

describe('input without end', () => {
  async function* yes(chunk: string): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.from(chunk);
  }

  it('is no lesson', async () => {
    await assert.rejects(readBounded(yes('y\n'.repeat(4_096))), (error) => error instanceof UserError);
    assert.equal(
      await readBounded(
        (async function* () {
          yield Buffer.from('{}');
        })(),
      ),
      '{}',
    );
  });

  it('is no import, whether lines end or not', async () => {
    for (const chunk of ['y\n'.repeat(32_768), '\0'.repeat(65_536)]) {
      const lines = (maxChars?: number) => readLines(yes(chunk), maxChars);
      await assert.rejects(
        readImportText({ file: '-', cwd: dir, readLines: lines }),
        (error) => error instanceof UserError,
      );
    }
  });

  it('is not waited for: a device and a pipe are no files', async () => {
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    for (const file of ['/dev/zero', 'pipe'])
      await assert.rejects(
        readImportText({ file, cwd: dir, readLines: async function* () {} }),
        (error) => error instanceof UserError && /no ordinary file/.test(error.reason),
      );
  });
});

describe('characters that steer the terminal', () => {
  const steering = 'a\u001b[31mred\u001b]0;title\u0007 \u009bx\u202e';

  it('are not kept of what a person writes, lines are', async () => {
    const lesson = await addFlags({ summary: steering, fix: 'one\n\ttwo\u001b[0m', tag: ['x\u0007'] });
    assert.deepEqual([lesson.summary, lesson.remediation, lesson.tags], ['ared x', 'one\n\ttwo', ['x']]);
  });

  it('are refused in a trigger', async () => {
    await assert.rejects(addJson({ triggers: { command: { match: ['a\u001bb'] } } }), /control characters/);
  });

  it('are not shown of what was kept earlier', async () => {
    await addFlags({});
    const store = await openSqliteStore(toDataHome(join(dir, 'data')).storeFile);
    await store.saveLesson(makeTestLesson({ id: 'les_old', slug: 'old', mistake: steering }), {
      ...{ by: 'user:me', reason: steering, at: '2026-03-03T00:00:00.000Z' },
    });
    await store.close();
    const { text: told } = await give(show, { arguments: ['old'] });
    assert.equal(told, toPlainText(told));
    assert.doesNotMatch(told, /[^\P{Cc}\n\t]|\u202e/u);
  });

  it('are gone after once, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        assert.doesNotMatch(toPlainText(any), /[^\P{Cc}\n\t]/u);
      }),
    );
  });
});

it('a file of others is not listed as CRITICAL until somebody confirms it', async () => {
  await addFlags({});
  const store = await openSqliteStore(toDataHome(join(dir, 'data')).storeFile);
  const origin = { kind: 'import', by: 'repository', trust: 'foreign' } as const;
  const change = { by: 'repository', reason: 'x', at: '2026-03-03T00:00:00.000Z' };
  const theirs = makeTestLesson({ id: 'les_theirs', slug: 'theirs', priority: 10, origin });
  await store.saveLesson(theirs, change);
  const told = async () => [
    (await give(list, {})).text,
    (await give(show, { arguments: ['theirs'] })).text,
    JSON.stringify((await give(list, {})).json),
  ];
  for (const one of await told()) assert.doesNotMatch(one, /CRITICAL/);
  await store.saveLesson({ ...theirs, reviewedBy: 'user:me' }, change);
  for (const one of await told()) assert.match(one, /CRITICAL/);
  await store.close();
});

describe('a password that a person writes as a word', () => {
  const word = ['cobalt', 'meadow'].join('');

  it('is in no text of the lesson, and in no slug', async () => {
    const lesson = await addFlags({ summary: `log in with password ${word}` });
    assert.match(lesson.summary, /^log in with password \[redacted:/);
    assert.ok(!holds(word));
  });

  it('is refused in a keyword, where a noun of prose is not', () => {
    assert.equal(findTriggerSecret({ actionKeywords: [`password ${word}`] }), 'triggers.actionKeywords');
    for (const noun of ['reset', 'authentication', 'manager', 'policy'])
      assert.equal(findTriggerSecret({ actionKeywords: [`password ${noun}`] }), undefined, noun);
  });
});
