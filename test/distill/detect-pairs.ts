/** Runs a detector on a short session and asks the real matcher when its lesson speaks. */
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { toWrittenView } from '../../src/base/triggers/call-view.ts';
import { type AskSession, isConditionMet } from '../../src/base/triggers/session-conditions.ts';
import type { Detector } from '../../src/distill/detector.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { makeWindow, type Step } from './session-script.ts';

export function detectWith(detector: Detector, ...steps: readonly Step[]): readonly Finding[] {
  return detector.detect(makeWindow(steps));
}

export interface Asked {
  readonly tool?: LiveCall['tool'];
  readonly command?: string;
  readonly path?: string;
  readonly cwd?: string;
  readonly json?: string;
  readonly ran?: readonly string[];
  /** Files that were read or written before, from the root. */
  readonly known?: readonly string[];
}

/** Does the lesson speak before this call? A text is a shell command. */
export function speaks({ triggers }: Pick<Finding, 'triggers'>, asked: Asked | string): boolean {
  const {
    tool = 'shell',
    cwd,
    ran = [],
    known = [],
    ...input
  } = typeof asked === 'string' ? { command: asked } : asked;
  const commands = ran.flatMap((one) => parseCommand(one, ANY_SHELL));
  const past: AskSession = ({ meant }) =>
    isConditionMet(meant, { commands }) || known.some((path) => isConditionMet(meant, { commands: [], path }));
  return judgeTriggers(triggers, { ...toWrittenView(tool, input), cwd, past }).holds;
}

export function denied(command: string, words: string): Step {
  return { tool: 'shell', command, outcome: 'denied', outcomeType: 'user-refusal', message: words, output: words };
}
