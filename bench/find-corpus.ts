/** Real sessions to measure with: where the environment says, else beside the project, else none. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder, with one folder in it for each agent. */
export function findCorpus(): string | undefined {
  const named = process.env.ONCEBITTEN_CORPUS;
  if (named !== undefined && named !== '') return existsSync(named) ? named : undefined;
  const unpack = resolve(import.meta.dirname, '../../shared/corpora/unpack.sh');
  if (!existsSync(unpack)) return undefined;
  const printed = execFileSync('bash', [unpack], { encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  return existsSync(join(printed, 'claude-code')) ? printed : undefined;
}
