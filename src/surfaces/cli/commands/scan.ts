/** `oncebitten scan`. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { listScanFiles } from '../../daemon/list-scan-files.ts';
import { type ScanTotals, scanSessions } from '../../daemon/scan-sessions.ts';
import type { Handler } from '../command.ts';
import { getHistory } from '../get-history.ts';
import { withHome } from '../open-home.ts';
import { makeScanProgress } from '../render-scan.ts';
import { readSwitchState, renderSwitchState } from '../render-switches.ts';

export const run: Handler = async (input) => {
  const { agent, path } = input.options as { agent?: string; path?: string };
  if (agent !== undefined) getHistory(agent);
  if (path !== undefined && !existsSync(resolve(input.cwd, path))) {
    throw new UserError({
      subject: path,
      reason: 'does not exist',
      next: 'give a transcript or a folder of transcripts',
    });
  }
  const files = listScanFiles({
    agent,
    path: path === undefined ? undefined : resolve(input.cwd, path),
    home: homedir(),
    env: input.env,
  });
  const totals = await withHome(input, (open) =>
    scanSessions({ ...open, files, onProgress: makeScanProgress(input.progress) }),
  );
  // What happened during a pause was left out.
  const off = renderSwitchState(readSwitchState(input.home));
  return { json: totals, text: [renderTotals(totals, files.length), ...off].join('\n') };
};

function renderTotals(totals: ScanTotals, files: number): string {
  const { sessions, calls, failures, masked, cancelled, denied, seconds, lessons, drafts } = totals;
  const skipped = Object.entries(totals.skipped).map(([reason, n]) => `  ${n} lines skipped: ${reason}`);
  const unreadable = totals.unreadable.map(({ path, reason }) => `  could not read ${path}: ${reason}`);
  return [
    `Read ${files} files in ${seconds} s: ${sessions} sessions with something new, ${calls} calls, ${failures} failures and ${masked} more that their command hid, ${cancelled} cancelled, ${denied} denied.`,
    `There are now ${lessons} active lessons and ${drafts} drafts. See them: oncebitten lessons list`,
    ...skipped,
    ...unreadable,
  ].join('\n');
}
