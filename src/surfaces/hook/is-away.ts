/** Whether an event is nobody's business, for the cold hook, which knows of a session what it marked on disk. */
import type { AgentEvent } from '../../base/event.ts';
import { isPaused, type Switches } from '../../base/switches.ts';
import { addMark, readMarks } from './away-marks.ts';
import { findAway, isAnywhereFine, isMarkedAway, toAwayRules, toWhereabouts } from './away-rules.ts';

export interface AwayContext {
  readonly awayDir: string;
  readonly privateFolders: readonly string[];
  readonly switches: Switches;
  readonly projectId: string;
  /** A probe leaves no trace. */
  readonly probe: boolean;
}

export function isAway(event: AgentEvent, context: AwayContext): boolean {
  const { awayDir, privateFolders, switches, projectId, probe } = context;
  const rules = toAwayRules(privateFolders, switches);
  if (isAnywhereFine(rules)) return isPaused(switches, { ...event, projectId });
  const away = findAway(rules, event, toWhereabouts(event.cwd ?? ''));
  if (away !== undefined && !probe && isBeginning(event)) addMark(awayDir, event, away);
  return (
    away !== undefined ||
    isPaused(switches, { ...event, projectId }) ||
    isMarkedAway(rules, event, readMarks(awayDir, event))
  );
}

/** After compaction a session goes on where it had walked to. */
export function isBeginning(event: { readonly kind?: string; readonly start?: string }): boolean {
  return event.kind === 'session-started' && event.start !== 'compact';
}
