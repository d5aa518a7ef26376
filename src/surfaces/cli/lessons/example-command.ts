/** Makes an example command on which a lesson fires, from its triggers; undefined if the triggers do not show one. */

import type { Lesson } from '../../../base/model/lesson.ts';
import { toWrittenView } from '../../../base/triggers/call-view.ts';
import { judgeTriggers } from '../../../keep/manifest/compiled-triggers.ts';

export function toExampleCommand({ triggers }: Pick<Lesson, 'triggers'>): string | undefined {
  const [program] = triggers.programs ?? [];
  if (program === undefined) return undefined;
  const { name, sub = [], args } = program;
  const command = [name, ...sub, ...(args?.all ?? []), ...(args?.any?.slice(0, 1) ?? [])].join(' ');
  return judgeTriggers(triggers, toWrittenView('shell', { command })).holds ? command : undefined;
}
