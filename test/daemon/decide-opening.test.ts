import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { BRIEF_VERSION, type Brief } from '../../src/base/model/brief.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { NO_SWITCHES } from '../../src/base/model/switches.ts';
import { compileManifest, type ManifestInput } from '../../src/keep/manifest/compile-manifest.ts';
import { decideOpening, type OpeningContext, toBriefFile } from '../../src/loop/delivery/decide-opening.ts';
import { withTexts } from '../../src/loop/write-briefs.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toRuns } from '../to-runs.ts';

const AT = '2026-01-01T12:00:00.000Z';
const PROTOCOL = 'PROTOCOL: write lessons down.';

const start = (how: EventOf<'session-started'>['start']): EventOf<'session-started'> => ({
  ...{ agent: 'claude-code', sessionId: 'one', contextId: '', at: AT },
  ...{ source: 'hook', kind: 'session-started', start: how },
});
const critical = (slug: string, fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({ slug, priority: 9, summary: `About ${slug}.`, remediation: `Do ${slug}.`, ...fields });
const inProject = (id: string) => ({ scope: { kind: 'project', id } as const });

describe('what a session hears at its start', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-opening-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const manifestOf = (lessons: readonly Lesson[], budget = 4096, more: Partial<ManifestInput> = {}) => {
    const settings = { ...DEFAULT_SETTINGS, injectionBudgetBytes: budget };
    const words = { protocol: PROTOCOL };
    const bytes = compileManifest({ lessons, settings, generatedAt: AT, ...words, ...more });
    return openManifest(bytes) ?? assert.fail('not a manifest');
  };
  const contextOf = (lessons: readonly Lesson[], fields: Partial<OpeningContext> = {}): OpeningContext => ({
    ...{ manifest: manifestOf(lessons), switches: NO_SWITCHES, projectId: 'here', probe: false, elapsedUs: () => 7 },
    ...{ briefsDir: dir, claimsDir: join(dir, 'claims'), troubleFile: join(dir, 'trouble.json') },
    ...fields,
  });
  const writeBrief = (fields: Partial<Brief>): void => {
    const brief = { type: 'brief', version: BRIEF_VERSION, generatedAt: AT, failures: [], open: [], ...fields };
    writeFileSync(toBriefFile(dir, 'here'), JSON.stringify(withTexts(brief)));
  };
  const failure = (id: string, stderr = 'no rule') => ({ ids: [id], command: 'make deploy', stderr, at: AT });
  const tellAll = (): void => {
    writeFileSync(join(dir, 'trouble.json'), JSON.stringify([{ topic: 'store', since: AT, text: 'it is broken' }]));
    const lastSeenAt = '2026-01-01T10:00:00.000Z';
    const dead = { agent: 'codex', sessionId: 'two', pid: 4_194_304, host: hostname(), lastSeenAt };
    writeBrief({ failures: [failure('out_1')], open: [dead] });
  };

  it('is the protocol alone when there is nothing to say, and nothing without that', () => {
    const quiet = [critical('high', { priority: 8 }), critical('far', inProject('there'))];
    assert.equal(decideOpening(start('startup'), contextOf(quiet)).text, PROTOCOL);
    const { protocol: _, ...header } = manifestOf(quiet).header;
    const manifest = { ...manifestOf(quiet), header };
    assert.deepEqual(decideOpening(start('startup'), contextOf(quiet, { manifest })).text, '');
  });

  it('is trouble, CRITICAL lessons, failures, dead sessions, drafts and the protocol, in this order', () => {
    tellAll();
    const lessons = [critical('a'), critical('d', { status: 'draft' }), critical('e', { needsReview: true })];
    const { text, failures, dead } = decideOpening(start('startup'), contextOf(lessons));
    const order = [
      'Oncebitten fault',
      'CRITICAL LESSONS from earlier work:\n- a: About a.\n  Mitigate: Do a.\n',
      'UNRESOLVED TOOL FAILURES',
      'SESSIONS THAT DIED',
      '2 draft lessons wait for the user: oncebitten lessons review\n',
      PROTOCOL,
    ].map((part) => text.indexOf(part));
    assert.deepEqual(
      order,
      order.filter((at) => at >= 0).toSorted((a, b) => a - b),
    );
    assert.deepEqual([failures, dead.length], [['out_1'], 1]);
  });

  it('is CRITICAL lessons and the protocol after compaction, all after clear, nothing where a session goes on', () => {
    tellAll();
    const context = contextOf([critical('a'), critical('d', { status: 'draft' })]);
    const compact = decideOpening(start('compact'), context);
    assert.equal(compact.text, `CRITICAL LESSONS from earlier work:\n- a: About a.\n  Mitigate: Do a.\n${PROTOCOL}`);
    assert.deepEqual(compact.failures, []);
    for (const how of ['resume', 'fork'] as const) assert.equal(decideOpening(start(how), context).text, '');
    assert.match(decideOpening(start('clear'), context).text, /fault.*CRITICAL.*UNRESOLVED.*1 draft lesson waits/s);
  });

  it('has the five weightiest lessons of this project, of the user and of the team', () => {
    const lessons = [
      critical('far', { ...inProject('there'), priority: 10 }),
      critical('then', { scope: { kind: 'session', id: 'one' }, priority: 10 }),
      critical('user'),
      critical('here', { ...inProject('here'), confidence: 0.9 }),
      critical('team', { scope: { kind: 'team' }, priority: 10 }),
      ...['z', 'x', 'y'].map((slug) => critical(slug, { confidence: 0.6 })),
    ];
    const told = decideOpening(start('startup'), contextOf(lessons)).text.match(/(?<=^- )\w+/gm);
    assert.deepEqual(told, ['team', 'here', 'user', 'x', 'y']);
  });

  it('goes by the id that projects were joined under', () => {
    const lessons = [critical('a', inProject('old')), critical('d', { status: 'draft', ...inProject('old') })];
    const manifest = manifestOf(lessons, 4096, { aliases: [{ fromId: 'old', intoId: 'new', at: AT }] });
    for (const projectId of ['old', 'new']) {
      const { text } = decideOpening(start('startup'), contextOf([], { manifest, projectId }));
      assert.match(text, /- a: .*\n1 draft/s, projectId);
    }
  });

  it('leaves out a muted lesson and one that the agent evidently follows, and the next takes its place', () => {
    const lessons = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((slug) => critical(slug));
    const switches = { ...NO_SWITCHES, mutes: [{ lessonId: lessons[0]?.id ?? '' }] };
    const measure = ({ slug }: Lesson) => (slug === 'b' ? { quietUntil: '2026-01-02T00:00:00.000Z' } : {});
    const manifest = manifestOf(lessons, 4096, { measure });
    const { text } = decideOpening(start('startup'), contextOf(lessons, { switches, manifest }));
    assert.deepEqual(text.match(/(?<=^- )\w+/gm), ['c', 'd', 'e', 'f', 'g']);
  });

  it('records lessons as told at the start, claims none, and leaves no trace of a probe', () => {
    const context = contextOf([critical('a')]);
    const [delivery] = decideOpening(start('startup'), context).deliveries;
    const { id: _, lessonId: __, ...facts } = delivery ?? assert.fail('nothing was told');
    assert.deepEqual(facts, {
      ...{ kind: 'session-start', agent: 'claude-code', sessionId: 'one', contextId: '', callId: '' },
      ...{ mode: 'note', arm: 'shown', score: 0, bytes: 31, latencyUs: 7, deliveredAt: AT },
    });
    // Nothing keeps it from being told again: it is the session that begins anew.
    assert.equal(decideOpening(start('clear'), context).deliveries.length, 1);
    assert.deepEqual(decideOpening(start('startup'), { ...context, probe: true }).deliveries, []);
  });

  it('tells failures in one of two sessions that start at once, lessons in both', () => {
    writeBrief({ failures: [failure('out_1')] });
    const context = contextOf([critical('a')]);
    const texts = [1, 2].map(() => decideOpening(start('startup'), context).text);
    assert.deepEqual(
      texts.map((text) => [text.includes('UNRESOLVED'), text.includes('- a:')]),
      [
        [true, true],
        [false, true],
      ],
    );
  });

  it('never has more bytes than the budget, and the protocol whole or not at all', () => {
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    const lessons = fc.array(fc.tuple(words, words), { maxLength: 8 });
    const errors = fc.array(words, { maxLength: 6 });
    let run = 0;
    fc.assert(
      fc.property(lessons, errors, fc.nat(5000), (all, stderrs, budget) => {
        writeBrief({ failures: stderrs.map((stderr, n) => failure(`out_${run}_${n}`, stderr)) });
        const given = all.map(([summary, remediation], n) => critical(`l-${n}`, { summary, remediation }));
        const draft = critical('d', { status: 'draft' });
        const manifest = manifestOf([...given, draft], budget);
        const context = contextOf([], { manifest, claimsDir: join(dir, `claims-${run++}`) });
        const { text, failures, deliveries } = decideOpening(start('startup'), context);
        assert.ok(Buffer.byteLength(text) <= budget);
        assert.ok(text.endsWith(PROTOCOL) || !text.includes('PROTOCOL'));
        assert.equal(text.match(/^- l-\d/gm)?.length ?? 0, deliveries.length);
        assert.equal(text.match(/^- `make deploy`/gm)?.length ?? 0, failures.length);
        // Of nothing else: the same files say the same.
        assert.equal(decideOpening(start('startup'), { ...context, probe: true }).text, text);
      }),
      { numRuns: toRuns(100) },
    );
  });
});
