import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { claudeCode } from '../../src/agents/claude-code/hooks.ts';
import type { ConversationReader } from '../../src/base/contracts/agent-adapter.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { toCallView } from '../../src/base/triggers/call-view.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { makeConversation } from '../../src/loop/delivery/conversation.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const KIB = 1024;

const user = (content: string): string => JSON.stringify({ type: 'user', message: { content }, uuid: 'u' });
const skill = (name: string): string =>
  JSON.stringify({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', name: 'Skill', input: { skill: name } }] },
  });
/** A tool's output of about so many bytes. */
const printed = (bytes: number): string =>
  JSON.stringify({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x'.repeat(bytes) }] },
  });

describe('what was said last', () => {
  let dir: string;
  let file: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-talk-'));
    file = join(dir, 's.jsonl');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const call = (wire: object = {}): EventOf<'call-started'> => {
    const event = claudeCode.readHook(
      'PreToolUse',
      {
        ...{ session_id: 's', transcript_path: file, cwd: dir, hook_event_name: 'PreToolUse', tool_use_id: 't1' },
        ...{ tool_name: 'Bash', tool_input: { command: 'git push' }, ...wire },
      },
      '2026-01-01T00:00:00.000Z',
    );
    return event?.kind === 'call-started' ? event : assert.fail('no call');
  };
  const write = (...lines: string[]) => writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  /** Counts how often the file's end is read, and how much of it. */
  const counted = () => {
    const sizes: number[] = [];
    const real = claudeCode.conversation ?? assert.fail('no talk');
    const talk: ConversationReader = {
      ...real,
      parse(tail, contextId) {
        sizes.push(Buffer.byteLength(tail));
        return real.parse(tail, contextId);
      },
    };
    return { sizes, talk };
  };

  it('is the last five messages', () => {
    write(...['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map(user));
    assert.deepEqual(makeConversation(call()).messages(), ['three', 'four', 'five', 'six', 'seven']);
  });

  it('is read when somebody asks, and once for all who ask', () => {
    write(...['one', 'two', 'three', 'four', 'five'].map(user), skill('ship'));
    const { sizes, talk } = counted();
    const asked = makeConversation(call(), talk);
    assert.deepEqual(sizes, []);
    const first = asked.messages();
    assert.equal(asked.messages(), first, 'the same list: what was worked out of it is known again');
    assert.deepEqual(asked.workflows(), ['ship']);
    assert.equal(sizes.length, 1);
  });

  it('is looked for once more, further up, where the end tells too little, and never beyond', () => {
    write(user('far'), printed(300 * KIB), user('one'), skill('ship'), printed(100 * KIB), user('two'));
    const { sizes, talk } = counted();
    const asked = makeConversation(call(), talk);
    assert.deepEqual(asked.messages(), ['one', 'two']);
    assert.deepEqual(asked.workflows(), ['ship']);
    asked.messages();
    assert.deepEqual(sizes, [64 * KIB, 256 * KIB]);
  });

  it('is read once where the end is the whole file', () => {
    write(user('one'));
    const { sizes, talk } = counted();
    const asked = makeConversation(call(), talk);
    assert.deepEqual([asked.messages(), asked.workflows(), asked.messages()], [['one'], [], ['one']]);
    assert.equal(sizes.length, 1);
  });

  it('is read from the end of a file of any size', () => {
    writeFileSync(file, '');
    truncateSync(file, 100 * KIB * KIB);
    appendFileSync(file, `\n${['a', 'b', 'c', 'd', 'e'].map(user).join('\n')}\n`);
    const { sizes, talk } = counted();
    assert.deepEqual(makeConversation(call(), talk).messages(), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(sizes, [64 * KIB]);
  });

  it('is what a writer in the middle of a line has written before it', () => {
    write(user('one'));
    appendFileSync(file, user('half').slice(0, -9));
    assert.deepEqual(makeConversation(call()).messages(), ['one']);
  });

  it("is a sub-agent's own, where its file is known", () => {
    write(user('main'));
    assert.equal(makeConversation(call({ agent_id: 'a1', agent_type: 'tester' })).messages(), undefined);
    const own = join(dir, 's/subagents/agent-a1.jsonl');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, `${JSON.stringify({ ...JSON.parse(user('the task')), isSidechain: true, agentId: 'a1' })}\n`);
    assert.deepEqual(makeConversation(call({ agent_id: 'a1', agent_type: 'tester' })).messages(), ['the task']);
  });

  it('is unknown without a file, for a folder, a pipe, another agent and a call of the past', () => {
    const isUnknown = (event: EventOf<'call-started'>) => {
      const asked = makeConversation(event);
      assert.deepEqual([asked.messages(), asked.workflows()], [undefined, undefined]);
    };
    isUnknown(call());
    isUnknown(call({ transcript_path: undefined }));
    mkdirSync(join(dir, 'folder.jsonl'));
    isUnknown(call({ transcript_path: join(dir, 'folder.jsonl') }));
    execFileSync('mkfifo', [join(dir, 'pipe.jsonl')]);
    isUnknown(call({ transcript_path: join(dir, 'pipe.jsonl') }));
    write(user('one'));
    isUnknown({ ...call(), agent: 'cursor' });
    isUnknown({ ...call(), source: 'transcript' });
    assert.deepEqual(makeConversation(call()).messages(), ['one'], 'and known otherwise');
  });

  it('is nothing where nothing was said', () => {
    write();
    assert.deepEqual([makeConversation(call()).messages(), makeConversation(call()).workflows()], [[], []]);
  });

  it('leaves nothing on the disk', () => {
    write(user('one'));
    makeConversation(call()).messages();
    assert.deepEqual(readdirSync(dir), ['s.jsonl']);
  });

  describe('decides which lessons speak', () => {
    const spoken = (
      event: EventOf<'call-started'>,
      talk: ConversationReader | undefined,
      ...triggers: Lesson['triggers'][]
    ) => {
      const lessons = triggers.map((one, n) => makeTestLesson({ slug: `l${n}`, triggers: one, priority: 8 }));
      const input = { lessons, settings: DEFAULT_SETTINGS, generatedAt: event.at };
      const manifest = openManifest(compileManifest(input)) ?? assert.fail('not a manifest');
      const matched = matchLessons(manifest, { ...toCallView(event, 'prj_here'), ...makeConversation(event, talk) });
      return matched.map(({ lesson }) => lesson.slug).sort();
    };
    const PUSH = { tools: ['shell'], programs: [{ name: 'git', sub: ['push'] }] } as const;

    it('and several lessons share one look', () => {
      write(...['hi', 'cut a release', 'for the marketplace', 'yes', 'go'].map(user));
      const { sizes, talk } = counted();
      const heard = spoken(
        call(),
        talk,
        { ...PUSH, actionKeywords: ['release'] },
        { ...PUSH, contextKeywords: ['marketplace'] },
        { ...PUSH, actionKeywords: ['rollback'] },
        { ...PUSH, unless: { keywords: ['marketplace'] } },
        PUSH,
      );
      assert.deepEqual(heard, ['l0', 'l1', 'l4']);
      assert.deepEqual(sizes.length, 1);
    });

    it('and nobody looks for a call that no such lesson is about', () => {
      write(user('cut a release'));
      const { sizes, talk } = counted();
      assert.deepEqual(
        spoken(call({ tool_input: { command: 'git pull' } }), talk, { ...PUSH, actionKeywords: ['x'] }),
        [],
      );
      assert.deepEqual(sizes, []);
    });

    it('by words alone at any call, by the agent it was started as, and by the globs of an exception', () => {
      write(user('cut a release'));
      const edit = call({ tool_name: 'Edit', tool_input: { file_path: '/r/gen/a.ts' }, agent_type: 'ship' });
      const heard = spoken(
        edit,
        undefined,
        { actionKeywords: ['release'] },
        { tools: ['edit'], workflows: ['ship'] },
        { tools: ['edit'], subagents: ['ship'] },
        { paths: ['*.ts'], unless: { paths: ['gen/**'] } },
        { paths: ['*.ts'], unless: { paths: ['src/**'] } },
      );
      assert.deepEqual(heard, ['l0', 'l1', 'l4']);
    });
  });
});
