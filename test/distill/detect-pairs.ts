/** Runs a detector on a short session and asks the real matcher when its lesson speaks. */
import type { LiveCall } from '../../src/base/call.ts';
import type { Detector } from '../../src/base/detector.ts';
import type { Finding } from '../../src/base/finding.ts';
import { parseCommand } from '../../src/base/parse-command.ts';
import { toGlobRegex } from '../../src/keep/to-glob-regex.ts';
import { checkTriggers } from '../../src/match/check-triggers.ts';
import { isMet } from '../../src/match/session-past.ts';
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
}

/** Does the lesson speak before this call? A text is a shell command. */
export function speaks({ triggers }: Pick<Finding, 'triggers'>, asked: Asked | string): boolean {
  const { tool = 'shell', command, ran, ...rest } = typeof asked === 'string' ? { command: asked } : asked;
  return checkTriggers(triggers, (triggers.paths ?? []).map(toGlobRegex), {
    tool,
    commands: parseCommand(command ?? ''),
    ...(command === undefined ? {} : { line: command }),
    past: ({ meant }) => isMet(meant, { commands: (ran ?? []).flatMap((one) => parseCommand(one)) }),
    ...rest,
    projectId: 'prj_1',
    sessionId: 'session-1',
  }).holds;
}

export function denied(command: string, words: string): Step {
  return { tool: 'shell', command, outcome: 'denied', outcomeType: 'user-refusal', message: words, output: words };
}
