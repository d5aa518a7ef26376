import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { z } from 'zod';
import { HISTORIES } from '../../src/agents/histories.ts';
import { findCaller } from '../../src/agents/hooks.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { eventSchema } from '../../src/capture/calls/event-schema.ts';
import { toFacts } from '../../src/capture/journal/facts.ts';
import { factSchema, parseFact } from '../../src/capture/journal/read-facts.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { manifestSchema } from '../../src/keep/manifest/manifest-schema.ts';
import { lessonSchema } from '../../src/keep/schemas/lesson-schema.ts';
import { readSessions } from '../../src/loop/replay/read-sessions.ts';
import { replaySessions } from '../../src/loop/replay/replay-sessions.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { makeDelivery, makeFullCall, makeLesson } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures');
const AT = '2026-01-02T03:04:05.000Z';

/** As on disk or on a wire, where undefined fields are absent. */
const check = (schema: z.ZodType, value: unknown): void => {
  const told: unknown = JSON.parse(JSON.stringify(value));
  const { error } = schema.safeParse(told);
  assert.equal(
    error?.issues.map((one) => `${one.path.join('.')}: ${one.message}`).join('\n'),
    undefined,
    JSON.stringify(told),
  );
};

function listHookEvents(): readonly AgentEvent[] {
  const dir = join(FIXTURES, 'claude-code/hooks');
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const payload = JSON.parse(readFileSync(join(dir, name), 'utf8'));
      return findCaller('claude-code', payload)?.readHook(payload.hook_event_name, payload, AT) ?? [];
    });
}

async function readPastEvents(agent: string, path: string): Promise<readonly AgentEvent[]> {
  const history = HISTORIES.find((one) => one.facts.id === agent) ?? assert.fail(agent);
  const events: AgentEvent[] = [];
  for (const file of listScanFiles({ agent, path, home: path, env: {} }))
    await readTranscriptFile({ path: file.path, history }, async (some) => void events.push(...some));
  return events;
}

describe('the schema of events and facts', () => {
  it('accepts every recorded hook, and the facts written for it', () => {
    const events = listHookEvents();
    assert.ok(events.length > 20, String(events.length));
    for (const event of events) {
      check(eventSchema, event);
      for (const fact of toFacts(event, 'prj_x')) {
        check(factSchema, fact);
        assert.ok(parseFact(JSON.stringify(fact)));
      }
    }
  });

  for (const [agent, path] of [
    ['claude-code', join(FIXTURES, 'claude-code/transcripts')],
    ['claude-code', join(ROOT, 'samples/sessions')],
    ['codex', join(FIXTURES, 'codex')],
    ['gemini', join(FIXTURES, 'gemini')],
    ['copilot', join(FIXTURES, 'copilot')],
  ] as const)
    it(`accepts past sessions of ${agent} in ${path.slice(ROOT.length + 1)}`, async () => {
      const events = await readPastEvents(agent, path);
      assert.ok(events.length > 0);
      for (const event of events) check(eventSchema, event);
      for (const event of events) for (const fact of toFacts(event, 'prj_x')) check(factSchema, fact);
    });

  it('accepts deliveries and whole calls', () => {
    const origin = { v: 1, agent: 'claude-code', sessionId: 's', at: AT };
    check(factSchema, { ...origin, kind: 'call', how: 'observed', call: makeFullCall() });
    check(factSchema, { ...origin, kind: 'delivered', delivery: makeDelivery() });
  });
});

describe('the schema of lessons and of the manifest', () => {
  const compile = (lessons: Parameters<typeof compileManifest>[0]['lessons']) =>
    JSON.parse(compileManifest({ lessons, settings: DEFAULT_SETTINGS, generatedAt: AT }).toString('utf8'));

  it('accepts lessons that are learned from sessions', async () => {
    const path = join(ROOT, 'samples/sessions');
    const files = listScanFiles({ agent: 'claude-code', path, home: path, env: {} });
    const steps = await readSessions(files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: assert.fail });
    const { lessons } = await replaySessions(steps, DEFAULT_SETTINGS);
    assert.ok(lessons.length > 0);
    for (const lesson of lessons) check(lessonSchema, lesson);
    const manifest = compile(lessons);
    assert.ok(manifest.lessons.length > 0);
    check(manifestSchema, manifest);
  });

  it('accepts the lessons of other tests', () => {
    for (const lesson of [makeLesson(), makeTestLesson({})]) {
      check(lessonSchema, lesson);
      check(manifestSchema, compile([{ ...lesson, status: 'active', needsReview: false }]));
    }
  });

  it('rejects what is not a lesson, without throwing', () => {
    const lesson = makeLesson();
    for (const wrong of [
      { ...lesson, priority: 11 },
      { ...lesson, status: 'asleep' },
      { ...lesson, secret: 'x' },
      { ...lesson, triggers: { command: { match: ['(a+)+(?=b)'] } } },
      { ...lesson, evidence: [{}] },
      null,
    ])
      assert.equal(lessonSchema.safeParse(wrong).success, false);
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(lessonSchema.safeParse(value).success, false)));
  });
});

describe('the generated schemas', () => {
  it('exist for everything that others read or write', () => {
    const names = readdirSync(join(ROOT, 'schemas')).map((name) => name.replace('.schema.json', ''));
    for (const name of ['settings', 'lesson', 'lesson-input', 'manifest', 'event', 'fact']) {
      assert.ok(names.includes(name), name);
      const schema = JSON.parse(readFileSync(join(ROOT, 'schemas', `${name}.schema.json`), 'utf8'));
      assert.equal(schema.$id, `oncebitten/${name}.schema.json`);
    }
  });
});
