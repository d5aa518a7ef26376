/** The last messages of a Claude Code transcript, from its end. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { claudeCode } from '../../src/agents/claude-code/hooks.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import { makeDamage } from './make-damage.ts';

const talk = claudeCode.conversation ?? assert.fail('Claude Code has transcripts');

const row = (fields: object): string =>
  JSON.stringify({ parentUuid: 'p', isSidechain: false, sessionId: 's', timestamp: '2026-01-01T00:00:00Z', ...fields });
const user = (content: unknown, more: object = {}) =>
  row({ type: 'user', message: { role: 'user', content }, ...more });
const text = (words: string) => ({ type: 'text', text: words });
const says = (id: string, words: string, more: object = {}) =>
  row({ type: 'assistant', message: { id, model: 'claude', content: [text(words)] }, ...more });
const calls = (name: string, input: object, more: object = {}) =>
  row({ type: 'assistant', message: { id: 'm', content: [{ type: 'tool_use', id: 't', name, input }] }, ...more });
const result = (words: string) =>
  user([{ type: 'tool_result', tool_use_id: 't', content: words }], { toolUseResult: { stdout: words } });
const command = (name: string, args = '') =>
  user(
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
  );

const parse = (lines: readonly string[], contextId = '') => talk.parse(`${lines.join('\n')}\n`, contextId);
const messages = (...lines: string[]) => parse(lines).messages;
const workflow = (...lines: string[]) => parse(lines).workflow;

describe('messages', () => {
  it("are prompts and the agent's messages, in order", () => {
    const found = messages(
      user('cut a release'),
      says('m1', 'I will'),
      calls('Bash', { command: 'ls' }),
      user([text('go')]),
    );
    assert.deepEqual(found, ['cut a release', 'I will', 'go']);
  });

  it('are one message if several rows contain parts of it', () => {
    assert.deepEqual(messages(says('m1', 'first'), says('m1', 'second'), says('m2', 'third')), [
      'first\nsecond',
      'third',
    ]);
  });

  it('may be typed while the agent works', () => {
    const queued = { type: 'queued_command', prompt: 'and the changelog', commandMode: 'prompt' };
    assert.deepEqual(messages(row({ type: 'attachment', attachment: queued })), ['and the changelog']);
  });

  it("do not include tool output and Claude Code's own text", () => {
    const harness = [
      result('release'),
      user('release', { isMeta: true }),
      user('release', { isCompactSummary: true }),
      user('release', { origin: { kind: 'task-notification' } }),
      user('<task-notification>release</task-notification>'),
      user('<bash-input>release</bash-input>'),
      user('[Request interrupted by user]'),
      user([text('<ide_opened_file>release.md</ide_opened_file>')]),
      says('m', 'release', { isApiErrorMessage: true }),
      row({ type: 'assistant', message: { id: 'm', model: '<synthetic>', content: [text('release')] } }),
      row({ type: 'assistant', message: { id: 'm', content: [{ type: 'thinking', thinking: 'release' }] } }),
      row({ type: 'system', subtype: 'compact_boundary', content: 'release' }),
      row({ type: 'attachment', attachment: { type: 'hook_additional_context', content: ['release'] } }),
      row({ type: 'summary', summary: 'release' }),
      row({ type: 'unheard-of', message: { content: 'release' } }),
    ];
    assert.deepEqual(messages(...harness), []);
  });

  it('are the typed text, without the reminders in it', () => {
    const reminder = '<system-reminder>\nrelease\n</system-reminder>';
    assert.deepEqual(messages(user([text(reminder), text('go on')])), ['go on']);
    assert.deepEqual(messages(user(`go ${reminder}on`)), ['go on']);
    assert.deepEqual(messages(user('go <system-reminder>release')), ['go']);
    assert.deepEqual(messages(user([text('<ide_selection>x</ide_selection>'), text('fix this')])), ['fix this']);
  });

  it('keep both ends if they are very long', () => {
    const [found = ''] = messages(user(`first ${'word '.repeat(40_000)}last`));
    assert.ok(found.length < 20_000 && found.startsWith('first') && found.endsWith('last'));
  });

  it('belong to the requested conversation', () => {
    const aside = { isSidechain: true, agentId: 'a1' };
    const lines = [
      user('main'),
      user('the task', aside),
      says('m1', 'done', aside),
      user('else', { isSidechain: true, agentId: 'a2' }),
    ];
    assert.deepEqual(parse(lines).messages, ['main']);
    assert.deepEqual(parse(lines.slice(1), 'a1').messages, ['the task', 'done']);
  });
});

describe('the workflow', () => {
  it('is the last slash command, and the text typed with it is a message', () => {
    assert.deepEqual(
      parse([command('ship', 'to the marketplace'), user('Base directory for this skill', { isMeta: true })]),
      {
        messages: ['/ship to the marketplace'],
        workflow: 'ship',
      },
    );
    assert.equal(workflow(command('ship'), command('tools:try')), 'tools:try');
    assert.equal(workflow(command('ship'), user('yes'), says('m', 'ok')), 'ship');
  });

  it('is found in either order of its tags', () => {
    assert.equal(
      workflow(user('<command-name>/ship</command-name>\n  <command-message>ship</command-message>')),
      'ship',
    );
  });

  it('is the skill that the agent called, or names as its source', () => {
    assert.equal(workflow(command('ship'), calls('Skill', { skill: 'tools:review', args: 'x' })), 'tools:review');
    assert.equal(workflow(calls('Skill', { command: '/review' })), 'review');
    assert.equal(workflow(says('m', 'ok', { attributionSkill: 'review' })), 'review');
    assert.equal(workflow(calls('Skill', {})), undefined);
  });

  it('is not a command that Claude Code runs itself', () => {
    const local = [
      user('<local-command-caveat>Caveat</local-command-caveat>', { isMeta: true }),
      user(
        '<command-name>/copy</command-name>\n<command-message>copy</command-message>\n<command-args></command-args>',
      ),
      user('<local-command-stdout>Copied</local-command-stdout>'),
    ];
    assert.deepEqual(parse(local), { messages: [] });
    assert.deepEqual(parse([command('ship'), ...local]), { messages: ['/ship'], workflow: 'ship' });
  });

  it('is not a command that somebody only writes about', () => {
    assert.equal(workflow(user('what does <command-name>/ship</command-name> mean?')), undefined);
    assert.equal(workflow(result('<command-name>/ship</command-name>')), undefined);
    assert.equal(workflow(says('m', '<command-name>/ship</command-name>')), undefined);
  });
});

describe('the end of a file', () => {
  const STORY = [
    user('cut a release'),
    says('m1', 'I will'),
    calls('Bash', { command: 'ls' }),
    result('a.ts'),
    command('ship', 'now'),
    user('yes', { isMeta: true }),
    says('m2', 'done'),
    user([text('and "this" \\ too')]),
  ];
  const whole = parse(STORY).messages;

  it('may begin and end anywhere: only real messages are found', () => {
    const file = STORY.join('\n');
    fc.assert(
      fc.property(fc.nat({ max: file.length }), fc.nat({ max: file.length }), (from, to) => {
        for (const message of talk.parse(file.slice(from, to), '').messages)
          assert.ok(whole.includes(message), message);
      }),
    );
  });

  it('loses only what precedes it', () => {
    const file = `${STORY.join('\n')}\n`;
    for (let from = 0; from < file.length; from += 7) {
      const { messages: found } = talk.parse(file.slice(from), '');
      assert.deepEqual(found, whole.slice(whole.length - found.length));
    }
  });

  it('may be damaged: no crash, and no tool output', () => {
    fc.assert(
      fc.property(makeDamage(STORY), (lines) => {
        const { messages: found } = parse(lines);
        assert.ok(found.every((message) => typeof message === 'string'));
        assert.ok(!found.some((message) => message.includes('a.ts')));
      }),
    );
  });

  it('may be anything at all', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array().map(String), fc.json()),
        fc.string(),
        (tail, id) => {
          assert.ok(Array.isArray(talk.parse(tail, id).messages));
        },
      ),
    );
    const odd = [
      { type: 'user', message: 7 },
      { type: 'user', message: { content: [null, 7, { text: {} }] } },
    ];
    const more = [
      { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Skill', input: [] }] } },
      { type: 'attachment' },
    ];
    assert.deepEqual(parse([...odd, ...more].map((one) => JSON.stringify(one))), { messages: [] });
    const deep = `{"type":"user","message":${'['.repeat(50_000)}`;
    assert.deepEqual(parse([deep]), { messages: [] });
  });
});

describe('the file of a conversation', () => {
  const event = (fields: object) =>
    ({
      agent: 'claude-code',
      kind: 'call-started',
      contextId: '',
      transcriptPath: '/p/s.jsonl',
      ...fields,
    }) as EventOf<'call-started'>;

  it("is the transcript, or the sub-agent's beside it", () => {
    assert.equal(talk.findFile(event({})), '/p/s.jsonl');
    assert.equal(talk.findFile(event({ contextId: 'a1b2' })), '/p/s/subagents/agent-a1b2.jsonl');
  });

  it('is unknown without a path, for a file of another kind, and for an invalid id', () => {
    assert.equal(talk.findFile(event({ transcriptPath: undefined })), undefined);
    assert.equal(talk.findFile(event({ transcriptPath: '/p/s.db' })), undefined);
    for (const contextId of ['../../x', 'a/b', '.', 'a\0', 'x'.repeat(200)])
      assert.equal(talk.findFile(event({ contextId })), undefined, contextId);
  });
});
