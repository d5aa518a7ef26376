/** `doctor` in a story's home: what it printed with `--json`, and its exit code. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Check } from '../../src/surfaces/cli/doctor/check.ts';
import { COMPILE_CACHE } from '../compile-cache.ts';
import type { Story } from '../stories/open-story.ts';

export interface Diagnosis {
  readonly code: number | null;
  readonly checks: readonly Check[];
  /** The check of this name; fails the test when there is none. */
  get(name: string): Check;
}

export function runDoctor(story: Story, env: Readonly<Record<string, string>> = {}): Diagnosis {
  const cli = join(import.meta.dirname, '../../dist/cli.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'doctor', '--json'], {
    cwd: story.project,
    env: { ...COMPILE_CACHE, ...story.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (stderr !== '') throw new Error(stderr);
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
  const get = (name: string): Check => {
    const found = checks.find((check) => check.name === name);
    if (found === undefined) throw new Error(`no check is called ${name}: ${checks.map((one) => one.name).join(', ')}`);
    return found;
  };
  return { code: status, checks, get };
}
