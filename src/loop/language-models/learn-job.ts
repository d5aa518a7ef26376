/**
 * The daemon's own questions to a model, if the user switched them on (`models.auto`): one pack after the end of a session,
 * in the background, within the day's budget, and not while the machine runs on its battery. No agent waits for it.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageModel } from '../../base/contracts/language-model.ts';
import { toReason } from '../../base/errors.ts';
import type { ModelSettings } from '../../base/model/settings.ts';
import { type AskReport, askAboutPacks } from './ask-model.ts';
import { readPacks } from './learn-packs.ts';
import type { SessionFile } from './read-conversations.ts';
import type { AnswerParts } from './take-answers.ts';

interface LearnJob {
  /** A session has ended and its file has been scanned. */
  hear(file: SessionFile): void;
  /** Starts the next question, if there is one and none is under way. */
  step(): void;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
  end(): void;
}

interface LearnJobParts {
  /** A function, because settings change. */
  readonly answers: () => AnswerParts;
  readonly openModel: (settings: ModelSettings) => LanguageModel;
  /** Lessons may have changed. */
  readonly onLearned: () => void;
  readonly log: (line: string) => void;
  readonly isOnBattery?: () => boolean;
  readonly now?: () => number;
}

/** Sessions that wait; older ones are left to `oncebitten learn`. */
const MAX_WAITING = 20;

export function makeLearnJob(parts: LearnJobParts): LearnJob {
  const { answers, openModel, onLearned, log, isOnBattery = runsOnBattery, now = Date.now } = parts;
  const ending = new AbortController();
  let waiting: readonly SessionFile[] = [];
  let running: Promise<void> | undefined;
  const isOn = (): boolean => {
    const { auto, provider } = answers().settings.models;
    return auto && provider !== 'none' && !ending.signal.aborted;
  };
  const ask = async (file: SessionFile): Promise<void> => {
    const own = answers();
    const [pack] = await readPacks(own, { files: [file], by: 'project' });
    if (pack === undefined || ending.signal.aborted) return;
    const model = openModel(own.settings.models);
    const report = await askAboutPacks({ ...own, model, now, signal: ending.signal }, [pack]);
    if (report.answers > 0) onLearned();
    for (const line of renderReport(report, model)) log(line);
  };
  return {
    hear(file) {
      if (isOn()) waiting = [...waiting.filter(({ path }) => path !== file.path), file].slice(-MAX_WAITING);
    },
    step() {
      const [next] = waiting;
      if (next === undefined || running !== undefined || !isOn() || isOnBattery()) return;
      waiting = waiting.slice(1);
      running = ask(next)
        .catch((error) => log(`learn: ${toReason(error)}`))
        .finally(() => {
          running = undefined;
        });
    },
    settle: async () => running,
    end: () => ending.abort(),
  };
}

function renderReport(
  { asked, active, drafts, tokens, failed }: AskReport,
  { name }: LanguageModel,
): readonly string[] {
  if (asked === 0) return [];
  const [failure] = failed;
  if (failure !== undefined) return [`learn: ${name} gave no answer: ${failure.reason}`];
  return [`learn: asked ${name}, ${tokens} tokens; ${active} active lessons, ${drafts} drafts`];
}

const POWER = '/sys/class/power_supply';

/** Does a battery of this machine discharge? False where the system does not tell. */
function runsOnBattery(): boolean {
  try {
    return readdirSync(POWER).some((name) => {
      const read = (fact: string): string => {
        const file = join(POWER, name, fact);
        return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
      };
      return read('type') === 'Battery' && read('scope') !== 'Device' && read('status') === 'Discharging';
    });
  } catch {
    return false;
  }
}
