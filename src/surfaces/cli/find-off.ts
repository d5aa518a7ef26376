/** Why the hook says nothing at a call, whatever lessons there are: as the cold hook decides it, without leaving a mark. */
import type { EventOf } from '../../base/event.ts';
import type { Settings } from '../../base/settings.ts';
import { isPaused, type Switches } from '../../base/switches.ts';
import type { DataHome } from '../data-home.ts';
import { isAway } from '../hook/is-away.ts';

/** `disabled` and `muted`: by a variable of this shell, for agents that are started from it. */
export type Off = 'disabled' | 'paused' | 'private' | 'muted';

export interface OffContext {
  readonly home: DataHome;
  readonly settings: Pick<Settings, 'privateProjects'> | undefined;
  readonly switches: Switches;
  readonly projectId: string;
  readonly env: NodeJS.ProcessEnv;
}

export function findOff(event: EventOf<'call-started'>, context: OffContext): Off | undefined {
  const { home, settings, switches, projectId, env } = context;
  if (env.ONCEBITTEN_DISABLED === '1') return 'disabled';
  const here = { ...event, projectId };
  if (isPaused(switches, here)) return 'paused';
  const places = { awayDir: home.awayDir, switches, projectId, probe: true };
  if (isAway(event, { ...places, privateFolders: [] })) return 'paused';
  if (isAway(event, { ...places, privateFolders: settings?.privateProjects ?? [] })) return 'private';
  return env.DISABLE_EXPERIENCE_INJECTION === '1' ? 'muted' : undefined;
}
