/**
 * Runs a command of the command line for the API and gives its JSON. The API and the command line thus have the same
 * queries, checks and error messages.
 */

import { UserError } from '../../base/errors.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import type { CommandInput } from '../cli/command.ts';
import { COMMANDS } from '../cli/commands.ts';

export interface ApiHome {
  readonly home: DataHome;
  readonly env: NodeJS.ProcessEnv;
  /** The folder that relative names in a request mean. */
  readonly cwd: string;
}

/** The words of one command. Options are those of its row, in camel case and without dashes. */
export interface Words {
  readonly arguments?: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
  /** The folder that the command runs in. */
  readonly cwd?: string;
  /** The standard input, for a command that takes JSON. */
  readonly stdin?: unknown;
}

/** `name` is the name of a command: `lessons list`. */
export type RunCommand = (name: string, words?: Words) => Promise<unknown>;

export function makeRunCommand(at: ApiHome): RunCommand {
  return async (name, words = {}) => {
    const command = COMMANDS.find((one) => one.name === name);
    if (command === undefined) throw new Error(`the API names a command that does not exist: ${name}`);
    const handle = await command.load();
    return (await handle(toInput(at, words))).json;
  };
}

/** Nobody is there to be asked, and nothing is printed. */
function toInput(at: ApiHome, { arguments: given = [], options = {}, cwd = at.cwd, stdin }: Words): CommandInput {
  const text = stdin === undefined ? '' : JSON.stringify(stdin);
  return {
    ...{ ...at, cwd },
    arguments: given,
    isJson: true,
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    readStdin: async () => text,
    async *readLines() {
      yield text.split('\n');
    },
    progress: () => {},
  };
}

/** The one shape of every error of the API: the same words as the command line's. */
export function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof UserError) {
    const { subject, reason, next } = error;
    return { error: { subject: toFieldNames(subject), reason: toFieldNames(reason), next: toFieldNames(next) } };
  }
  return { error: { subject: 'oncebitten', reason: 'internal error', next: 'run `oncebitten doctor`' } };
}

/** An option of a command is a field of the API with the same name. A whole command stays as it is typed. */
function toFieldNames(text: string): string {
  return text.includes('oncebitten') ? text : text.replace(/(?<=^| )--(?=[a-z])/g, '');
}

export interface ErrorBody {
  readonly error: { readonly subject: string; readonly reason: string; readonly next: string };
}
