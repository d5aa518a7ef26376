/** `oncebitten doctor`: every part on its own, then proof through the installed hook, as an agent would get it. */
import type { Handler } from '../command.ts';
import { listHooked } from '../install/hook-places.ts';
import type { Check } from './check.ts';
import { checkDelivery, checkLatency } from './check-delivery.ts';
import { checkFiles } from './check-files.ts';
import { checkHookFile, checkHooks } from './check-hooks.ts';
import { checkParts } from './check-parts.ts';
import { checkPromotions, checkRepositories } from './check-repository-files.ts';
import { checkPauses, checkVariables } from './check-switches.ts';
import { checkVersions } from './check-versions.ts';

const MARKS = { ok: 'ok  ', advice: 'note', bad: 'BAD ' } as const;

export const run: Handler = async (input) => {
  input.progress('versions');
  const versions = await checkVersions(input);
  input.progress('files, store, daemon');
  const hooked = [...new Set(listHooked(input).map(({ agent }) => agent))];
  const parts = [...(await checkFiles(input, hooked)), ...(await checkParts(input))];
  const hooks = await checkHooks(input);
  input.progress('delivery');
  const checks: readonly Check[] = [
    ...versions,
    ...parts,
    ...hooks,
    ...(await checkRepositories(input)),
    ...(await checkPromotions(input)),
    ...checkPauses(input),
    ...checkVariables(input),
    ...(await checkHookFile(input, hooked.length > 0)),
    ...(await checkDelivery(input)),
    ...(await checkLatency(input)),
  ];
  const bad = checks.filter((check) => check.state === 'bad').length;
  const verdict =
    bad === 0 ? `No problems found in ${checks.length} checks.` : `${bad} of ${checks.length} checks failed.`;
  return { json: { ok: bad === 0, checks }, text: [...checks.map(render), '', verdict].join('\n'), failed: bad > 0 };
};

function render({ state, name, detail, next }: Check): string {
  return [`${MARKS[state]}  ${name}: ${detail}`, ...(next === undefined ? [] : [`      next: ${next}`])].join('\n');
}
