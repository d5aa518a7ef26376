/** How far lessons may go is the user's to say: by a flag, or asked once when the hooks are installed. Notes until then. */
import { DELIVERY_MODES, type DeliveryMode } from '../../base/lesson.ts';
import { readCheckedSettings } from '../../keep/read-settings.ts';
import type { CommandInput } from './command.ts';
import { run as setConfig } from './commands/config-set.ts';
import { Interrupted } from './interrupted.ts';
import { UsageError } from './usage-error.ts';

export interface AllowedMode {
  readonly maxMode: DeliveryMode;
  /** For a person: what it means, and how to change it. */
  readonly text: string;
}

const KEY = 'delivery.maxMode';
const QUESTION = `May a lesson hold a call back, once, where your own past calls prove it? The agent reads the lesson and
may then make the call again: that always runs. Otherwise lessons are notes only. [y/N] `;

/** What the flags say. Asked first: a wrong flag must not leave half of an installation. */
export function findWantedMode({ options }: CommandInput): DeliveryMode | undefined {
  const { allowPause, maxMode } = options as { allowPause?: true; maxMode?: string };
  if (maxMode === undefined) return allowPause === true ? 'pause' : undefined;
  const mode = DELIVERY_MODES.find((one) => one === maxMode);
  if (mode === undefined)
    throw new UsageError({
      subject: `--max-mode ${maxMode}`,
      reason: 'is not a known mode',
      next: `use ${DELIVERY_MODES.join(', ')}`,
    });
  if (allowPause === true && mode === 'note')
    throw new UsageError({
      subject: '--allow-pause',
      reason: 'and --max-mode note say different things',
      next: 'give one of them',
    });
  return mode;
}

export async function allowMode(input: CommandInput, wanted: DeliveryMode | undefined): Promise<AllowedMode> {
  const { settings, origins } = readCheckedSettings(input.home.configFile, input.env);
  const isDecided = (origins.get(KEY)?.kind ?? 'default') !== 'default';
  const mode = wanted ?? (isDecided ? undefined : await askMode(input));
  if (mode !== undefined) await setConfig({ ...input, arguments: [KEY, mode] });
  // A variable wins over the file.
  const maxMode = mode === undefined ? settings.delivery.maxMode : readMode(input);
  return { maxMode, text: MEANING[maxMode] };
}

async function askMode({ ask }: CommandInput): Promise<DeliveryMode | undefined> {
  if (ask === undefined) return undefined;
  try {
    return /^y(?:es)?$/i.test((await ask(QUESTION)).trim()) ? 'pause' : 'note';
  } catch (error) {
    // The hooks are in by now, and that is still to be said. The question comes again another time.
    if (error instanceof Interrupted) return undefined;
    throw error;
  }
}

function readMode({ home, env }: CommandInput): DeliveryMode {
  return readCheckedSettings(home.configFile, env).settings.delivery.maxMode;
}

const NEVER = 'None ever allows a call in your place. Notes only:';
const MEANING: Readonly<Record<DeliveryMode, string>> = {
  note: `Lessons are notes only: they never allow, refuse or change a call.
To let proven ones hold a call back once: oncebitten config set ${KEY} pause`,
  pause: `Proven lessons may hold a call back once; made again, it runs. ${NEVER} oncebitten config set ${KEY} note`,
  rewrite: `Proven lessons may hold a call back once, or correct a word of it. ${NEVER} oncebitten config set ${KEY} note`,
  block: `Proven lessons may hold a call back once, or correct a word of it; those you set to block refuse. ${NEVER} oncebitten config set ${KEY} note`,
};
