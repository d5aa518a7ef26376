/**
 * The script, task or target that a command names, where its name says what is done and the program does not: `build`
 * of `npm run build`, `deploy` of `make deploy`, `seed.py` of `python tools/seed.py` and of `./seed.py`.
 */
import { toPositionals } from './program-words.ts';
import type { SimpleCommand } from './simple-command.ts';

/** Programs whose first word is a task, or whose second one is behind one of these. */
const TASKS: Readonly<Record<string, readonly string[] | 'direct'>> = {
  npm: ['run', 'run-script', 'rum', 'urn'],
  bun: ['run'],
  deno: ['task'],
  mise: ['run', 'r'],
  hatch: ['run'],
  composer: ['run', 'run-script'],
  turbo: ['run'],
  make: 'direct',
  gmake: 'direct',
  just: 'direct',
  task: 'direct',
  rake: 'direct',
  ant: 'direct',
  poe: 'direct',
  invoke: 'direct',
  inv: 'direct',
};

/** Package managers that run a script without `run`, but for their own commands. */
const OWN_COMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  pnpm: toSet(
    'add audit bin cache config create deploy dlx env exec fetch i import init install link list login ls outdated pack ' +
      'patch prune publish rebuild remove rm root store unlink up update view why',
  ),
  yarn: toSet(
    'add audit bin cache config create dedupe dlx exec global help import info init install link list login logout npm ' +
      'outdated pack patch plugin publish rebuild remove set unlink up upgrade version why workspaces',
  ),
};
/** The scripts that npm knows by themselves. */
const NPM_SHORT = toSet('test t tst start stop restart');

const INTERPRETERS = /^(?:python[\d.]*|node|nodejs|deno|tsx|ts-node|ruby|perl|php|bash|sh|zsh|dash|ksh|Rscript|lua)$/;
const SCRIPT_FILE = /\.(?:py|[cm]?[jt]sx?|rb|pl|php|sh|bash|zsh|R|lua)$/;

export function findScriptName(command: SimpleCommand): string | undefined {
  const { program } = command;
  if (SCRIPT_FILE.test(program)) return program;
  const words = toPositionals(command);
  const [first, second] = words;
  if (first === undefined) return undefined;
  if (INTERPRETERS.test(program)) return SCRIPT_FILE.test(first) ? toBase(first) : undefined;
  const tasks = Object.hasOwn(TASKS, program) ? TASKS[program] : undefined;
  if (tasks === 'direct') return words.find((word) => !word.includes('='));
  if (tasks?.includes(first)) return second;
  if (program === 'npm') return NPM_SHORT.has(first) ? first : undefined;
  const own = Object.hasOwn(OWN_COMMANDS, program) ? OWN_COMMANDS[program] : undefined;
  if (own === undefined || own.has(first)) return undefined;
  return first === 'run' ? second : first;
}

function toBase(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function toSet(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
