/** `oncebitten scan`. */
import { existsSync } from 'node:fs';
import { HISTORIES } from '../../../agents/histories.ts';
import type { Store } from '../../../base/contracts/store.ts';
import {
  findNamedFile,
  listScanFiles,
  listUnknownFiles,
  type ScanFile,
  type ScanPlaces,
  type UnknownFile,
} from '../../../loop/scan/scan-files.ts';
import { scanSessions } from '../../../loop/scan/scan-sessions.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import { toSince } from '../arguments/options.ts';
import type { Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { readSwitchState, renderSwitchState } from '../pause/switches.ts';
import { toCount, toLine, toScreenMax } from '../text.ts';
import { makeScanProgress, renderScanTotals } from './scan-report.ts';

export const run: Handler = async (input) => {
  const { since } = input.options as { since?: string };
  const isAgain = input.options.again === true;
  const places = toScanPlaces(input);
  const sinceMs = since === undefined ? undefined : Date.parse(toSince(since, '--since', Date.now()));
  const { totals, unknown } = await withHome(input, async (open) => {
    const where = { ...places, sinceMs, scanPaths: open.settings.scanPaths };
    const found = listScanFiles(where);
    const { files, unknown } = await sortOut(open.store, found, listUnknownFiles(where, found));
    const before = await open.store.countAll();
    const scanned = await scanSessions({ ...open, files, isAgain, onProgress: makeScanProgress(input.progress) });
    const { lessons, drafts } = before;
    return { totals: isAgain ? { ...scanned, before: { lessons, drafts } } : scanned, unknown };
  });
  // What happened during a pause was left out.
  const off = renderSwitchState(readSwitchState(input.home));
  const found = totals.agents.some(({ files }) => files > 0) ? [] : [renderNothing(places)];
  const strange = renderUnknown(unknown, toScreenMax(input.columns, MAX_SHOWN));
  return {
    json: { ...totals, unknown },
    text: [...renderScanTotals(totals), ...strange, ...found, ...renderNamed(places), ...off].join('\n'),
  };
};

/** A file that was read before still belongs to that agent, even if its content is gone. Empty files are not reported. */
async function sortOut(
  store: Store,
  files: readonly ScanFile[],
  unknown: readonly UnknownFile[],
): Promise<{ readonly files: readonly ScanFile[]; readonly unknown: readonly string[] }> {
  if (unknown.length === 0) return { files, unknown: [] };
  const owners = new Map((await store.listScanStates()).map(({ path, agent }) => [path, agent]));
  const again = unknown.flatMap((file) => {
    const agent = owners.get(file.path);
    return agent === undefined ? [] : [{ agent, ...file }];
  });
  const left = unknown.filter(({ path, size }) => size > 0 && !owners.has(path));
  return { files: [...files, ...again], unknown: left.map(({ path }) => path) };
}

const MAX_SHOWN = 5;

function renderUnknown(paths: readonly string[], max: number): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > max ? [`    … and ${paths.length - max} more`] : [];
  return [
    `  ${toCount(paths.length, 'file')} not read: they are named like session files, but begin like those of no known agent`,
    ...paths.slice(0, max).map((path) => `    ${toLine(path)}`),
    ...more,
    '  If you know their agent, name it: --agent <agent>',
  ];
}

/** A variable that names a file which is not there hides the sessions in it. */
function renderNamed({ path, agent, home, env }: ScanPlaces): readonly string[] {
  if (path !== undefined) return [];
  return HISTORIES.filter((one) => agent === undefined || [agent].flat().includes(one.facts.id)).flatMap((history) => {
    const file = findNamedFile(history, { home, env });
    return file === undefined || existsSync(file)
      ? []
      : [
          `  ${history.file?.env} names ${toLine(file)}, which does not exist, so no session of ${history.facts.name} is read there.`,
        ];
  });
}

function renderNothing({ path, agent }: ScanPlaces): string {
  const whose = agent === undefined ? 'any known agent' : [agent].flat().join(', ');
  return path === undefined
    ? `There are no sessions of ${whose} in their usual places.`
    : `There are no sessions of ${whose} in ${path}; folders whose names begin with a dot are not searched.`;
}
