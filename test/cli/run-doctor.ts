/** `doctor` in a story's home: what it printed with `--json`, and its exit code. */
import type { Check } from '../../src/surfaces/cli/doctor/check.ts';
import { runCli } from '../run-cli.ts';
import type { Story } from '../stories/open-story.ts';

export interface Diagnosis {
  readonly code: number | null;
  readonly checks: readonly Check[];
  /** The check of this name; fails the test when there is none. */
  get(name: string): Check;
}

export async function runDoctor(story: Story, env: Readonly<Record<string, string>> = {}): Promise<Diagnosis> {
  const words = ['doctor', '--json'];
  const { code, stdout, stderr } = await runCli({ words, cwd: story.project, env: { ...story.env, ...env } });
  if (stderr !== '') throw new Error(stderr);
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
  const get = (name: string): Check => {
    const found = checks.find((check) => check.name === name);
    if (found === undefined) throw new Error(`no check is called ${name}: ${checks.map((one) => one.name).join(', ')}`);
    return found;
  };
  return { code, checks, get };
}
