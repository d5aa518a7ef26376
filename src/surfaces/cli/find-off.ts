/** Why the hook says nothing at a call, whatever lessons there are: as the cold hook decides it, without leaving a mark. */
import type { EventOf } from '../../base/event.ts';
import type { Settings } from '../../base/settings.ts';
import { isPaused, type Switches } from '../../base/switches.ts';
import type { DataHome } from '../data-home.ts';
import { isAway } from '../hook/is-away.ts';

export type Off = 'paused' | 'private';

export interface OffContext {
  readonly home: DataHome;
  readonly settings: Pick<Settings, 'privateProjects'> | undefined;
  readonly switches: Switches;
  readonly projectId: string;
}

export function findOff(event: EventOf<'call-started'>, context: OffContext): Off | undefined {
  const { home, settings, switches, projectId } = context;
  const here = { ...event, projectId };
  if (isPaused(switches, here)) return 'paused';
  const places = { awayDir: home.awayDir, switches, projectId, probe: true };
  if (isAway(event, { ...places, privateFolders: [] })) return 'paused';
  return isAway(event, { ...places, privateFolders: settings?.privateProjects ?? [] }) ? 'private' : undefined;
}
