/** `oncebitten doctor`: every part on its own, then proof through the installed hook, as an agent would get it. */

import { listHooked } from '../../install/installed-hooks.ts';
import type { Handler } from '../command.ts';
import { joinLines, toCount } from '../text.ts';
import type { Check } from './check.ts';
import { checkDelivery, checkLatency } from './check-delivery.ts';
import { checkHookFile, checkHooks, checkPauses, checkVariables } from './check-hooks.ts';
import { checkMcp } from './check-mcp.ts';
import { checkFiles, checkParts } from './check-parts.ts';
import { checkPromotions, checkRepositories } from './check-repository-files.ts';
import { checkVersions } from './check-versions.ts';

const MARKS = { ok: 'ok  ', advice: 'note', bad: 'BAD ' } as const;

export const run: Handler = async (input) => {
  input.progress('versions');
  const versions = await checkVersions(input);
  input.progress('files, store, daemon');
  const hooked = [...new Set(listHooked(input).map(({ agent }) => agent))];
  const parts = [...(await checkFiles(input, hooked)), ...(await checkParts(input, hooked.length > 0))];
  const hooks = await checkHooks(input);
  // A store that another process holds is waited for once, not by every check that could use it.
  const isReadable = !parts.some(({ name, state }) => name === 'store' && state === 'bad');
  input.progress('delivery');
  const checks: readonly Check[] = [
    ...versions,
    ...parts,
    ...hooks,
    ...(await checkRepositories(input, isReadable)),
    ...(isReadable ? await checkPromotions(input) : []),
    ...checkPauses(input),
    ...checkVariables(input),
    ...(await checkHookFile(input, hooked.length > 0)),
    ...(await checkMcp(input)),
    ...(await checkDelivery(input)),
    ...(await checkLatency(input)),
  ];
  const bad = checks.filter((check) => check.state === 'bad').length;
  const text = [...checks.map(render), '', renderConclusion(checks, bad, hooked.length > 0)].join('\n');
  return {
    json: { ok: bad === 0, connected: hooked.length > 0, connectedAgents: hooked, checks },
    text,
    failed: bad > 0,
  };
};

function renderConclusion(checks: readonly Check[], bad: number, isConnected: boolean): string {
  const notes = checks.filter(({ state }) => state === 'advice').length;
  const counted = notes === 0 ? '' : `, ${toCount(notes, 'note')}`;
  const errors = bad === 0 ? `No errors in ${checks.length} checks` : `${bad} of ${checks.length} checks failed`;
  return `${errors}${counted}.${isConnected ? '' : ' No agent has the hooks of Oncebitten yet, so no agent gets lessons.'}`;
}

function render({ state, name, detail, next }: Check): string {
  return joinLines([`${MARKS[state]}  ${name}: ${detail}`, next !== undefined && `      next: ${next}`]);
}
