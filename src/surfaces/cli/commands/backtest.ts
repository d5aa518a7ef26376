/** `oncebitten backtest`: the past replayed, of several agents together and of each apart. */
import type { BacktestReport } from '../../../measure/backtest-report.ts';
import { makeBacktestReport } from '../../../measure/make-backtest-report.ts';
import { replaySessions } from '../../replay/replay-sessions.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { readPast } from '../read-past.ts';
import { renderBacktest } from '../render-backtest.ts';
import { toScanPlaces } from '../to-scan-places.ts';

export const run: Handler = async (input) => {
  toScanPlaces(input);
  return readHome(input, async (open) => {
    const steps = await readPast(input, open);
    const replay = async (of: typeof steps): Promise<BacktestReport> =>
      makeBacktestReport((await replaySessions(of, open.settings)).calls);
    const pooled = await replay(steps);
    const byAgent = Map.groupBy(steps, ({ agent }) => agent);
    const agents: Record<string, BacktestReport> = {};
    if (byAgent.size > 1) for (const [agent, own] of byAgent) agents[agent] = await replay(own);
    const json = byAgent.size > 1 ? { ...pooled, agents } : pooled;
    return { json, text: renderBacktest(pooled, agents) };
  });
};
