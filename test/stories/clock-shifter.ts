/**
 * Loaded into a process before it starts: its clock is ahead by CLOCK_SHIFT_DAYS, and SIGUSR2 sets it back by a day.
 * With CLOCK_SHIFT_FILES the file system has the same wrong clock: files that are written from now on are dated by it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const RealDate = Date;
const DAY_MS = 24 * 60 * 60 * 1000;
const startedMs = RealDate.now();
let shiftMs = Number(process.env.CLOCK_SHIFT_DAYS ?? 0) * DAY_MS;

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string]) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(given[0]);
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
} as DateConstructor;
process.on('SIGUSR2', () => {
  shiftMs -= DAY_MS;
});

if (process.env.CLOCK_SHIFT_FILES !== undefined) {
  const { statSync } = fs;
  (fs as { statSync: unknown }).statSync = ((...given: Parameters<typeof statSync>) => {
    const stat = statSync(...given);
    if (stat !== undefined && Number(stat.mtimeMs) >= startedMs) stat.mtimeMs = Number(stat.mtimeMs) + shiftMs;
    return stat;
  }) as typeof statSync;
  syncBuiltinESMExports();
}
