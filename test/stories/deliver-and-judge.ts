/**
 * A process of its own that delivers in every session and judges every call, as twenty of its kind do at once:
 * `node deliver-and-judge.ts <place as JSON> <data directory> <start file>`. Everybody is told everything, in an order of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { decideReply } from '../../src/loop/deliver.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { makeMissFinder } from '../../src/loop/measuring/find-misses.ts';
import { measureCalls } from '../../src/loop/measuring/measure-calls.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeCall } from '../contracts/store/make-samples.ts';

export const SESSIONS = 5;
export const TOOLS = ['one', 'two'] as const;
/** What happens in a session that no hook asked about. */
export const UNASKED = 'unasked';

/** The first call of a tool is the mistake. The next one is wrong in every fifth session, the last one in another. */
const isAgain = (n: number): boolean => n % 5 === 4;
const isRelapse = (n: number): boolean => n % 5 === 2;
const toAt = (n: number, seconds: number): string =>
  new Date(Date.parse('2030-01-01T00:00:00.000Z') + (n * 1000 + seconds) * 1000).toISOString();

function makeToolCall(sessionId: string, tool: string, n: number, isMistake: boolean, place: 1 | 2 | 3): LiveCall {
  const failed = {
    outcome: 'failure',
    signature: { id: `sig_${tool}`, version: 1, template: 'unknown flag', program: tool },
  } as const;
  return {
    ...makeCall({ sessionId, callId: `${sessionId}-${tool}-${place}`, tool: 'shell', program: tool }),
    ...(isMistake ? failed : { outcome: 'success' }),
    command: `${tool} --${isMistake ? 'bad' : 'good'}`,
    occurredAt: toAt(n, place === 1 ? 2 : place * 10),
  };
}

function makeStarted({ agent, sessionId, callId, command = '' }: LiveCall, n: number): EventOf<'call-started'> {
  return {
    ...{ kind: 'call-started', agent, sessionId, contextId: '', callId, at: toAt(n, 1), source: 'hook' },
    ...{ tool: 'shell', rawTool: 'Bash', input: { command, json: '{}' } },
  };
}

if (process.argv[1] === import.meta.filename) {
  const [place = '', dir = '', startFile = ''] = process.argv.slice(2);
  const home = toDataHome(dir);
  const store = await openStore(JSON.parse(place));
  const manifest = openManifest(readFileSync(join(dir, 'manifest.json')));
  if (manifest === undefined) throw new Error('no manifest');
  const parts = { store, settings: DEFAULT_SETTINGS };
  const misses = makeMissFinder(parts);
  const { claimsDir, pastDir, briefsDir, troubleFile } = home;
  const context = { manifest, claimsDir, pastDir, briefsDir, troubleFile, projectId: 'prj_a', probe: false };
  while (!existsSync(startFile)) await sleep(2);
  const numbers = Array.from({ length: SESSIONS }, (_, n) => n);
  for (const n of [...numbers].sort(() => Math.random() - 0.5)) {
    const sessionId = `s${n}`;
    for (const tool of TOOLS) {
      const first = makeToolCall(sessionId, tool, n, true, 1);
      const asked = { ...context, switches: { pauses: [], mutes: [] }, modes: ['note' as const], elapsedUs: () => 0 };
      const { deliveries } = decideReply(makeStarted(first, n), asked);
      for (const delivery of deliveries) await store.saveDelivery(delivery);
      const later = [
        makeToolCall(sessionId, tool, n, isAgain(n), 2),
        makeToolCall(sessionId, tool, n, isRelapse(n), 3),
      ];
      for (const call of later.sort(() => Math.random() - 0.5)) await measureCalls(parts, [first, call]);
      await misses.take([makeToolCall(UNASKED, tool, n, true, 1)]);
    }
  }
  await store.close();
}
