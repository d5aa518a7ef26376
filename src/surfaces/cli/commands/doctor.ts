/** `oncebitten doctor`: every part on its own, then a lesson through the installed hook, as an agent would get it. */
import type { Handler } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { checkDelivery } from '../doctor/check-delivery.ts';
import { checkFiles } from '../doctor/check-files.ts';
import { checkHooks } from '../doctor/check-hooks.ts';
import { checkParts } from '../doctor/check-parts.ts';

const MARKS = { ok: 'ok  ', advice: 'note', bad: 'BAD ' } as const;

export const run: Handler = async (input) => {
  const checks: readonly Check[] = [
    ...checkFiles(input),
    ...(await checkParts(input)),
    ...checkHooks(input),
    ...(await checkDelivery(input)),
  ];
  const bad = checks.filter((check) => check.state === 'bad').length;
  const lines = checks.map(({ state, name, detail, next }) =>
    [`${MARKS[state]}  ${name}: ${detail}`, ...(next === undefined ? [] : [`      next: ${next}`])].join('\n'),
  );
  const verdict = bad === 0 ? 'Everything that is there works.' : `${bad} of ${checks.length} checks failed.`;
  return { json: { ok: bad === 0, checks }, text: [...lines, '', verdict].join('\n'), failed: bad > 0 };
};
