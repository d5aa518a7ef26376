/** How often a property is tried: in `npm run test:quick` a fifth of the times, in `npm test` all of them. */
export const QUICK_VARIABLE = 'ONCEBITTEN_TEST_QUICK';

const isQuick = process.env[QUICK_VARIABLE] === '1';

export function toRuns(runs: number): number {
  return isQuick ? Math.ceil(runs / 5) : runs;
}
