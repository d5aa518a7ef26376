/** `oncebitten scan`. */
import { listScanFiles, type ScanPlaces } from '../../scan/list-scan-files.ts';
import { scanSessions } from '../../scan/scan-sessions.ts';
import type { Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { toSince } from '../parse-span.ts';
import { makeScanProgress, renderScanTotals } from '../render-scan.ts';
import { readSwitchState, renderSwitchState } from '../render-switches.ts';
import { toScanPlaces } from '../to-scan-places.ts';

export const run: Handler = async (input) => {
  const { since } = input.options as { since?: string };
  const places = toScanPlaces(input);
  const sinceMs = since === undefined ? undefined : Date.parse(toSince(since, '--since', Date.now()));
  const totals = await withHome(input, (open) => {
    const files = listScanFiles({ ...places, sinceMs, scanPaths: open.settings.scanPaths });
    return scanSessions({ ...open, files, onProgress: makeScanProgress(input.progress) });
  });
  // What happened during a pause was left out.
  const off = renderSwitchState(readSwitchState(input.home));
  const found = totals.agents.some(({ files }) => files > 0) ? [] : [renderNothing(places)];
  return { json: totals, text: [...renderScanTotals(totals), ...found, ...off].join('\n') };
};

function renderNothing({ path, agent }: ScanPlaces): string {
  const whose = agent === undefined ? 'any agent we know' : [agent].flat().join(', ');
  return path === undefined
    ? `There are no sessions of ${whose} in their usual places.`
    : `There are no sessions of ${whose} in ${path}; folders whose names begin with a dot are not searched.`;
}
