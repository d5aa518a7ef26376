/** What is asked of a back-test, and whether it is reached. Rows: a bound that changes changes here. */
import type { Aim, BacktestFigures, ClassFigures } from './backtest-report.ts';

const SHARES = [
  { of: 'command', figure: 'precision', atLeast: 0.6 },
  { of: 'command', figure: 'recall', atLeast: 0.35 },
  { of: 'verdict', figure: 'precision', atLeast: 0.3 },
  { of: 'verdict', figure: 'recall', atLeast: 0.3 },
] as const;
const MAX_PER_100_CALLS = 1;

type Figures = Pick<BacktestFigures, 'calls' | 'deliveriesPer100Calls'> & {
  readonly classes: Readonly<Record<'command' | 'verdict', Pick<ClassFigures, 'precision' | 'recall'>>>;
};

export function judgeAims({ calls, classes, deliveriesPer100Calls }: Figures): readonly Aim[] {
  const shares = SHARES.map((aim): Aim => {
    const value = classes[aim.of][aim.figure];
    return { ...aim, value, isMet: value === null ? null : value >= aim.atLeast };
  });
  const value = calls === 0 ? null : deliveriesPer100Calls;
  const isMet = value === null ? null : value <= MAX_PER_100_CALLS;
  return [...shares, { of: 'all', figure: 'deliveriesPer100Calls', atMost: MAX_PER_100_CALLS, value, isMet }];
}
