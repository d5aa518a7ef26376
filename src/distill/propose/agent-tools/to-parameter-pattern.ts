/** When a lesson about a parameter speaks, on the JSON of the input: what was wrong, or what was missing. */

import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { TextTrigger } from '../../../base/triggers/trigger.ts';
import type { ChangedParameter } from './find-changed-parameter.ts';

export function toParameterPattern({ name, before, after }: ChangedParameter): TextTrigger {
  const key = `"${toLiteral(name)}" *: *`;
  if (before === undefined) return { unless: [`${key}"?${toLiteral(after ?? '')}"?`] };
  return { match: [after === undefined ? key : `${key}"?${toValuePattern(before, after)}"?[,}]`] };
}

/** Another number of the same kind is the same mistake, unless the right value has that form too. */
function toValuePattern(wrong: string, right: string): string {
  const literal = toLiteral(JSON.stringify(wrong).slice(1, -1));
  const wide = literal.replace(/\d+/g, '\\d+');
  return new RegExp(`^${wide}$`).test(right) ? literal : wide;
}
