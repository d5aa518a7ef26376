/** Loaded into a daemon before it starts: SIGUSR2 sets its clock back by a day. */
const RealDate = Date;
const DAY_MS = 24 * 60 * 60 * 1000;
let shiftMs = 0;

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
