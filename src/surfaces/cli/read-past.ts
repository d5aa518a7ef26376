/** The past sessions that a person means, ready for a replay. */

import { makeCaptureFilter } from '../loop/make-capture-filter.ts';
import { type ReplayStep, readSessions } from '../replay/read-sessions.ts';
import { listScanFiles } from '../scan/list-scan-files.ts';
import type { CommandInput } from './command.ts';
import type { OpenHome } from './open-home.ts';
import { toScanPlaces } from './to-scan-places.ts';

export async function readPast(
  input: CommandInput,
  { store, settings, switchesFile, log }: OpenHome,
): Promise<readonly ReplayStep[]> {
  const files = listScanFiles({ ...toScanPlaces(input), scanPaths: settings.scanPaths });
  return readSessions(files, {
    trackedTools: settings.trackedTools,
    detectorPlugins: settings.detectorPlugins,
    log,
    openFilter: makeCaptureFilter({ store, settings, switchesFile }),
    onProgress: (done, all) => input.progress(`Reading sessions ${done}/${all}`),
  });
}
