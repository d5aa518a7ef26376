/** The rig that runs real clients against a scripted model: only the parts of it that we use. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface RigTool {
  readonly name?: string;
  readonly input: object | string;
  /** Codex: a tool of a group, one whose input is a text, and the search for tools. */
  readonly namespace?: string;
  readonly custom?: boolean;
  readonly search?: boolean;
}

export interface Turn {
  /** Answer with an HTTP error instead. */
  readonly status?: number;
  readonly error?: string;
  /** How long the model takes for it. */
  readonly delayMs?: number;
  readonly text?: string;
  readonly tools?: readonly RigTool[];
}

export interface Script {
  readonly routes: readonly {
    readonly name: string;
    readonly match: string;
    /** Also requests that offer no tools, as those of Codex's code mode. */
    readonly noTools?: boolean;
    readonly turns: readonly Turn[];
    /** What follows the last turn. */
    readonly after?: Turn;
  }[];
}

export interface Step {
  readonly prompt?: string;
  /** Claude Code: what it reads instead of a prompt, with `--input-format stream-json`. */
  readonly input?: string;
  readonly args?: readonly string[] | ((results: readonly { readonly sessionId: string }[]) => readonly string[]);
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

/** What a probe hook wrote down: the client's own payload. */
export interface HookRecord {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface StepResult {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly ms: number;
  /** What the client printed. */
  readonly out: string;
}

export interface RunResult extends RunContext {
  readonly requests: readonly ModelRequest[];
  readonly results: readonly StepResult[];
  /** Empty for clients that were given no probe. */
  readonly hooks: readonly HookRecord[];
}

/** Each client takes some of them. */
export interface RunOptions {
  readonly script: Script | ((context: RunContext) => Script);
  readonly steps?: readonly Step[];
  readonly files?: Readonly<Record<string, string>>;
  readonly keep?: boolean;
  readonly prepare?: (context: RunContext) => Promise<void>;
  /** The client's own hook settings. */
  readonly hooks?: (context: RunContext & { readonly hookLog: string }) => object;
  /** More of the client's own settings: a text or an object, as the client has them. */
  readonly config?: string | object;
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** OpenCode: the rig's own plugin. */
  readonly plugin?: boolean;
  /** Instead of steps, for clients that take one prompt. */
  readonly prompt?: string;
}

/** The scripted model, for programs that the rig does not start itself. */
export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export type RunClient = (scenario: string, options: RunOptions) => Promise<RunResult>;

export interface Rig {
  /** The client's own program. */
  readonly bin: string;
  /** Where the rig keeps its installs. */
  readonly root: string;
  /** Runs another program of the same client from now on: another version. */
  use(bin: string): void;
  /** `runClaude`, `runCodex` …: that of the client. */
  readonly run: RunClient;
  readonly runClaude: RunClient;
  /** Hook settings with a probe on every event; none for clients without such settings. */
  readonly hooksFor?: (log: string) => Record<string, object[]>;
  startServer(script: Script): Promise<ModelServer>;
  /** A clean environment in a throw-away home. */
  toEnvironment(home: string, more: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Codex: gives hooks the trust that a user would give with `/hooks`. */
  trustHooks(home: string, folder: string): Promise<unknown>;
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
  const runner = await import(join(dir, `${client}.mjs`));
  const run: RunClient = runner[`run${client.charAt(0).toUpperCase()}${client.slice(1)}`];
  const use = (bin: string): void => {
    lib.BIN[client] = bin;
  };
  const { hooksFor } = runner;
  const { startModelServer } = await import(join(dir, 'model-server.mjs'));
  return {
    startServer: (script) => startModelServer({ script }),
    toEnvironment: lib.cleanEnv,
    trustHooks: async (home, folder) => (await import(join(dir, 'codex-trust.mjs'))).trustAll(home, folder),
    bin: lib.BIN[client],
    root: lib.ROOT,
    use,
    run,
    runClaude: run,
    hooksFor,
    findInRequests: lib.findInRequests,
  };
}
