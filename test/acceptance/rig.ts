/** The rig that runs real clients against a scripted model: only the parts of it that we use. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Turn {
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly input: object }[];
}

export interface Script {
  readonly routes: readonly { readonly name: string; readonly match: string; readonly turns: readonly Turn[] }[];
}

export interface Step {
  readonly prompt: string;
  readonly args: readonly string[] | ((results: readonly { readonly sessionId: string }[]) => readonly string[]);
}

export interface RunContext {
  readonly home: string;
  readonly project: string;
}

export interface ModelRequest {
  readonly n: number;
  readonly route: string;
  readonly body: unknown;
}

export interface RunResult extends RunContext {
  readonly requests: readonly ModelRequest[];
  readonly results: readonly { readonly code: number | null; readonly timedOut: boolean; readonly ms: number }[];
}

export interface Rig {
  /** The client's own program. */
  readonly bin: string;
  runClaude(
    scenario: string,
    options: {
      readonly script: Script | ((context: RunContext) => Script);
      readonly steps: readonly Step[];
      readonly files?: Readonly<Record<string, string>>;
      readonly keep?: boolean;
      readonly prepare?: (context: RunContext) => Promise<void>;
    },
  ): Promise<RunResult>;
  findInRequests(
    requests: readonly ModelRequest[],
    needle: string,
  ): readonly { readonly n: number; readonly where: string }[];
}

export async function openRig(client: string): Promise<Rig> {
  const dir = process.env.ONCEBITTEN_RIG ?? resolve(import.meta.dirname, '../../../shared/real-clients');
  if (!existsSync(join(dir, 'lib.mjs'))) {
    throw new Error(`there is no rig in ${dir}: set ONCEBITTEN_RIG to the folder that runs the real clients`);
  }
  const lib = await import(join(dir, 'lib.mjs'));
  if (!existsSync(lib.BIN[client])) execFileSync(join(dir, 'install.sh'), [client], { stdio: 'inherit' });
  const { runClaude } = await import(join(dir, 'claude.mjs'));
  return { bin: lib.BIN[client], runClaude, findInRequests: lib.findInRequests };
}
