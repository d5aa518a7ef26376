import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  dropEndedMutes,
  isMuted,
  isPaused,
  type Pause,
  parseSwitches,
  renderSwitches,
} from '../../src/base/model/switches.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 0, 1, 12);
const at = (hours: number): string => new Date(NOON_MS + hours * HOUR_MS).toISOString();
const place = { sessionId: 's1', projectId: 'prj_a', cwd: '/home/ann/shop/src', at: at(0) };
const paused = (pause: Omit<Pause, 'from'> & { from?: string }, fields = {}): boolean =>
  isPaused({ pauses: [{ from: at(-1), ...pause }], mutes: [] }, { ...place, ...fields });

describe('a pause', () => {
  it('covers everything, a project, a folder or a session', () => {
    assert.equal(paused({ what: 'all' }), true);
    assert.equal(paused({ what: 'project', id: 'prj_a' }), true);
    assert.equal(paused({ what: 'project', id: 'prj_x', dir: '/home/ann/shop' }), true);
    assert.equal(paused({ what: 'session', id: 's1' }), true);
  });

  it('leaves everything else alone', () => {
    assert.equal(paused({ what: 'project', id: 'prj_b', dir: '/home/ann/sho' }), false);
    assert.equal(paused({ what: 'session', id: 's2' }), false);
    assert.equal(paused({ what: 'project', id: 'prj_b', dir: '/home/ann/shop' }, { cwd: undefined }), false);
  });

  it('holds from its beginning to its end, both included, whenever it is checked', () => {
    const pause = { what: 'all', from: at(1), until: at(2) } as const;
    assert.deepEqual(
      [0.9, 1, 1.5, 1.99, 2, 2 + 1 / HOUR_MS].map((hours) => paused(pause, { at: at(hours) })),
      [false, true, true, true, true, false],
    );
  });

  it('covers events without a valid time', () => {
    assert.equal(paused({ what: 'all', until: at(-0.5) }, { at: 'yesterday' }), true);
  });

  it('covers everything if the file is broken', () => {
    assert.equal(isPaused(parseSwitches('{'), place), true);
  });
});

describe('a mute', () => {
  const muted = (mute: object, lessonId?: string): boolean =>
    isMuted(
      { pauses: [], mutes: [mute] },
      { sessionId: 's1', ...(lessonId === undefined ? {} : { lessonId }) },
      NOON_MS,
    );

  it('covers one lesson or all, everywhere or in one session, for a time or for good', () => {
    assert.equal(muted({ lessonId: 'les_1' }, 'les_1'), true);
    assert.equal(muted({ lessonId: 'les_1' }, 'les_2'), false);
    assert.equal(muted({ lessonId: 'les_1' }), false);
    assert.equal(muted({}), true);
    assert.equal(muted({}, 'les_2'), true);
    assert.equal(muted({ sessionId: 's2' }, 'les_2'), false);
    assert.equal(muted({ lessonId: 'les_1', sessionId: 's1', until: at(1) }, 'les_1'), true);
    assert.equal(muted({ lessonId: 'les_1', until: at(0) }, 'les_1'), false);
  });

  it('is removed when it has ended; a pause stays, so that transcripts of that time are left out', () => {
    const pauses = [{ what: 'all', from: at(-3), until: at(-2) } as const];
    const switches = { pauses, mutes: [{ until: at(-1) }, { lessonId: 'les_1' }] };
    assert.deepEqual(dropEndedMutes(switches, NOON_MS), { pauses, mutes: [{ lessonId: 'les_1' }] });
  });
});

describe('the switch file', () => {
  const id = fc.string({ minLength: 1 });
  const time = fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((date) => date.toISOString());
  const pauses = fc.array(
    fc.oneof(
      fc.record({ what: fc.constant('all' as const), from: time }),
      fc.record(
        { what: fc.constantFrom('project' as const, 'session' as const), id, dir: id, from: time, until: time },
        { requiredKeys: ['what', 'id', 'from'] },
      ),
    ),
  );
  const mutes = fc.array(fc.record({ lessonId: id, sessionId: id, until: time }, { requiredKeys: [] }));

  it('parses to what was written', () => {
    fc.assert(
      fc.property(fc.record({ pauses, mutes }), (switches) => {
        assert.deepEqual(parseSwitches(renderSwitches(switches)), JSON.parse(JSON.stringify(switches)));
      }),
    );
  });

  it('is broken if it contains anything else, and never throws', () => {
    const good = { type: 'switches', version: 1, pauses: [], mutes: [] };
    const broken = [
      '',
      'null',
      '[]',
      '{}',
      JSON.stringify({ ...good, version: 2 }),
      JSON.stringify({ ...good, type: 'manifest' }),
      JSON.stringify({ ...good, pauses: undefined }),
      JSON.stringify({ ...good, mutes: {} }),
      JSON.stringify({ ...good, pauses: [{ what: 'some', from: at(0) }] }),
      JSON.stringify({ ...good, pauses: [{ what: 'project', from: at(0) }] }),
      JSON.stringify({ ...good, pauses: [{ what: 'all', from: 'soon' }] }),
      JSON.stringify({ ...good, pauses: [{ what: 'all', from: at(0), until: 7 }] }),
      JSON.stringify({ ...good, mutes: [{ lessonId: 7 }] }),
    ];
    for (const text of broken) assert.equal(parseSwitches(text).broken, true, text);
    fc.assert(fc.property(fc.string(), (text) => parseSwitches(text).broken === true));
  });
});
