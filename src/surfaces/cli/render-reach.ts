/** How a lesson reaches the agent, and what keeps it from going further. */
import type { Lesson } from '../../base/lesson.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../../base/lesson.ts';
import { decideReach } from '../../keep/decide-reach.ts';

export function renderReach(lesson: Lesson, maxMode: DeliveryMode): string {
  const reach = decideReach(lesson);
  const isAllowed = DELIVERY_MODES.indexOf(reach) <= DELIVERY_MODES.indexOf(maxMode);
  if (isAllowed) return `${reach}${explain(lesson, reach)}`;
  return `${maxMode}; it would go as far as ${reach} if you let it: oncebitten config set delivery.maxMode ${reach}`;
}

function explain(lesson: Lesson, reach: DeliveryMode): string {
  const { mode, modeBy, replacement } = lesson;
  if (mode === reach && modeBy !== undefined) return `, set by ${modeBy}`;
  if (mode === reach) return lesson.measure?.raised === undefined ? '' : `, because ${lesson.measure.raised}`;
  if (mode === 'rewrite' && replacement === undefined && reach === 'pause')
    return ', because calls have shown no single word that corrects it';
  if (mode === 'note') return ', because past calls prove it; to change that: oncebitten lessons edit --mode note';
  return `, and not ${mode} until it is active, confirmed, or proved by past calls`;
}
