/** The shim and what it falls back to. */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isExecutable } from '../../daemon/deploy-app.ts';
import { readShim } from '../../hook/render-shim.ts';
import { readBuildVersion } from '../../package-root.ts';
import type { CommandInput } from '../command.ts';
import { type Check, checkThat, type Finding } from './check.ts';

const NEXT = 'write it again: oncebitten daemon start';

/** `isWanted`: some agent has hooks that run it. */
export async function checkHookFile({ home }: CommandInput, isWanted: boolean): Promise<readonly Check[]> {
  if (!statSync(home.dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  return [await checkThat('hook', () => judgeHookFile(home.hookFile, isWanted))];
}

function judgeHookFile(hookFile: string, isWanted: boolean): Finding {
  if (!existsSync(hookFile))
    return { state: isWanted ? 'bad' : 'advice', detail: `${hookFile} is not there: agents hear nothing`, next: NEXT };
  if (!isExecutable(hookFile))
    return { state: 'bad', detail: `${hookFile} may not be executed: agents hear nothing`, next: NEXT };
  const shim = readShim(hookFile);
  if (shim === undefined) return { state: 'bad', detail: `${hookFile} is not the one we wrote`, next: NEXT };
  if (!existsSync(join(shim.app, 'hook.cjs')))
    return { state: 'bad', detail: `${shim.app} has no hook.cjs: without the daemon agents hear nothing`, next: NEXT };
  const version = readBuildVersion();
  if (basename(shim.app) === version) return { state: 'ok', detail: hookFile };
  return { state: 'bad', detail: `${hookFile} is of version ${basename(shim.app)}, here is ${version}`, next: NEXT };
}
