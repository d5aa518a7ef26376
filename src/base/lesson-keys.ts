/**
 * Index keys: a lesson is filed under the keys that its triggers make certain, a call is looked up under the keys that
 * it has. A lesson that can match a call always shares a key with it; the reverse is for the triggers to decide.
 */
import type { ToolName } from './tool.ts';
import type { Triggers } from './trigger.ts';

const ANY = '*';

export function toLessonKeys(triggers: Triggers): readonly string[] {
  if (triggers.programs !== undefined) return unique(triggers.programs.map((p) => `p:${p.name}`));
  if (triggers.tools !== undefined) return unique(triggers.tools.map((tool) => `t:${tool}`));
  return [ANY];
}

export function toCallKeys(tool: ToolName, programs: readonly string[]): readonly string[] {
  return unique([...programs.map((name) => `p:${name}`), `t:${tool}`, ANY]);
}

function unique(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)];
}
