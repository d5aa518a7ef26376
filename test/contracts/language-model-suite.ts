/** What every provider of a language model must do, whatever the program or server behind it does. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_VARIABLE } from '../../src/base/contracts/agent-headless.ts';
import type { LanguageModel, ModelAnswer, Question } from '../../src/base/contracts/language-model.ts';
import { PACK_MARKER } from '../../src/base/model/pack.ts';

export type Behaviour =
  | 'answers'
  | 'garbage'
  | 'refused'
  | 'rate-limit'
  | 'limited-once'
  | 'bad-key'
  | 'not-logged-in'
  | 'slow'
  | 'stubborn'
  | 'killed'
  | 'huge'
  | 'noise'
  | 'hostile'
  | 'leaves-behind';

export interface OpenedModel {
  readonly model: LanguageModel;
  /** The questions as they arrived. */
  listAsked(): readonly string[];
  /** Programs only: the processes that were started, their environment and their folder. */
  listPids?(): readonly number[];
  findEnvironment?(): string;
  findFolder?(): string;
  close(): Promise<void>;
}

export interface Provider {
  readonly name: string;
  readonly isProgram: boolean;
  readonly refusedAs: 'refused' | 'garbage';
  /** How a login can be wrong. */
  readonly loginFaults: readonly Behaviour[];
  open(behaviour: Behaviour): OpenedModel | Promise<OpenedModel>;
}

const SHORT_MS = 1_500;
const LONG_MS = 20_000;
const QUESTION: Question = {
  prompt: `<!-- ${PACK_MARKER} 1 -->\nWhat is there to learn? "Grüße" 'x' $HOME\n`,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { add: { type: 'array', maxItems: 9, items: { type: 'string', minLength: 1, default: 'x' } } },
    required: ['add'],
    additionalProperties: false,
  },
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/;

export function testLanguageModel(provider: Provider): void {
  describe(`${provider.name} as a language model`, { concurrency: 4 }, () => {
    const open: OpenedModel[] = [];
    after(async () => void (await Promise.all(open.map((one) => one.close()))));
    const ask = async (behaviour: Behaviour, deadlineMs = SHORT_MS, signal?: AbortSignal) => {
      const opened = await provider.open(behaviour);
      open.push(opened);
      const startedMs = performance.now();
      const answer = await opened.model.ask(QUESTION, { deadlineMs, ...(signal && { signal }) });
      return { opened, answer, tookMs: performance.now() - startedMs };
    };

    it('hands the question over and gives the answer back, with what it cost', async () => {
      const { opened, answer } = await ask('answers', LONG_MS);
      assert.equal(answer.ok, true, JSON.stringify(answer));
      assert.deepEqual(answer.ok && JSON.parse(answer.text), { add: ['x'] });
      assert.ok((answer.usage?.inputTokens ?? 0) > 0 && (answer.usage?.outputTokens ?? 0) > 0);
      const [asked = ''] = opened.listAsked();
      assert.ok(asked.startsWith(QUESTION.prompt.trimEnd()), asked);
    });

    it('gives up at the deadline', async () => {
      const { answer, tookMs } = await ask('slow');
      assert.equal(toKind(answer), 'too-slow');
      assert.ok(tookMs < 2 * SHORT_MS, `it took ${tookMs} ms`);
    });

    it('stops when it is told to', async () => {
      const { answer, tookMs } = await ask('slow', LONG_MS, AbortSignal.timeout(200));
      assert.equal(toKind(answer), 'failed');
      assert.ok(tookMs < LONG_MS / 2, `it took ${tookMs} ms`);
    });

    it('tells an end without an answer from a slow one', async () => {
      assert.equal(toKind((await ask('killed', LONG_MS)).answer), 'failed');
    });

    it('rejects an answer that is not a JSON object', async () => {
      const { answer } = await ask('garbage', LONG_MS);
      assert.equal(toKind(answer), 'garbage');
      assert.match(toReason(answer), /I will not/);
      assert.ok((answer.usage?.inputTokens ?? 0) > 0, 'it cost something');
    });

    it('survives output that is not of its form at all', async () => {
      assert.ok(['failed', 'garbage'].includes(toKind((await ask('noise', LONG_MS)).answer)));
    });

    it('rejects an answer of ten megabytes', async () => {
      assert.equal(toKind((await ask('huge', LONG_MS)).answer), 'garbage');
    });

    it('keeps control characters out of its words', async () => {
      const { answer } = await ask('hostile', LONG_MS);
      assert.equal(toKind(answer), 'garbage');
      assert.match(toReason(answer), /I will not/);
      assert.doesNotMatch(toReason(answer), CONTROL);
    });

    it('says that the model refused', async () => {
      assert.equal(toKind((await ask('refused', LONG_MS)).answer), provider.refusedAs);
    });

    it('says that a limit is reached, and does not wait beyond the deadline', async () => {
      const { opened, answer } = await ask('rate-limit');
      assert.equal(toKind(answer), 'rate-limit');
      assert.equal(opened.listAsked().length, 1);
    });

    it('asks again after the wait that a rate limit names', async () => {
      const { opened, answer } = await ask('limited-once', LONG_MS);
      assert.equal(answer.ok, true, JSON.stringify(answer));
      assert.equal(opened.listAsked().length, 2);
    });

    it('says that the login is missing or wrong, without showing a key', async () => {
      for (const behaviour of provider.loginFaults) {
        const { answer } = await ask(behaviour, LONG_MS);
        assert.equal(toKind(answer), 'not-logged-in', JSON.stringify(answer));
        assert.doesNotMatch(toReason(answer), /sk-abcdef/);
      }
    });

    if (!provider.isProgram) return;

    it('tells the program that it is ours, and not that it is part of a session', async () => {
      const { opened } = await ask('answers', LONG_MS);
      const env = opened.findEnvironment?.() ?? '';
      assert.match(env, new RegExp(`^${CHILD_VARIABLE}=1$`, 'm'));
      assert.match(env, /^KEPT=yes$/m);
      if (provider.name === 'Claude Code') assert.doesNotMatch(env, /^CLAUDECODE=/m);
    });

    it('leaves no process and no folder behind', async () => {
      for (const behaviour of ['answers', 'leaves-behind', 'slow', 'stubborn', 'killed', 'huge'] as const) {
        const { opened } = await ask(behaviour, behaviour === 'slow' || behaviour === 'stubborn' ? 700 : LONG_MS);
        for (const pid of opened.listPids?.() ?? []) assert.ok(await isGone(pid), `${behaviour}: ${pid} is alive`);
        assert.equal(existsSync(opened.findFolder?.() ?? ''), false, behaviour);
      }
    });
  });
}

function toKind(answer: ModelAnswer): string {
  return answer.ok ? 'ok' : answer.kind;
}

function toReason(answer: ModelAnswer): string {
  return answer.ok ? '' : answer.reason;
}

/** A killed process is there until its parent, or the first process of the machine, takes note of it. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (!isAlive(pid)) return true;
    await sleep(50);
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
