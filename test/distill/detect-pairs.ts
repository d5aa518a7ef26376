/** Runs a detector on a short session and asks the real matcher when its lesson speaks. */
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { signCall, toFailedCall } from '../../src/base/text/signature.ts';
import { toWrittenView } from '../../src/base/triggers/call-view.ts';
import { type AskSession, isConditionMet } from '../../src/base/triggers/session-conditions.ts';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import type { Detector, SessionWindow } from '../../src/distill/detector.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { makeWindow, type Step, type Words } from './session-script.ts';

export function detectWith(detector: Detector, ...steps: readonly Step[]): readonly Finding[] {
  return detector.detect(makeWindow(steps));
}

/** Whatever all detectors see that may become a lesson: what code mended may not. */
export function detectAll(...script: readonly (Step | Words)[]): readonly Finding[] {
  return detectFindings(makeSigned(script)).filter(
    ({ kind, episodeOnly }) => kind !== 'code-edit' && episodeOnly === undefined,
  );
}

/** A session in which every failure has the signature and the message that capture gives it. */
export function makeSigned(script: readonly (Step | Words)[], from = 0): SessionWindow {
  const window = makeWindow(script, from);
  return { ...window, calls: window.calls.map(sign) };
}

function sign(call: LiveCall): LiveCall {
  const cause = call.outcome === 'failure' ? signCall(toFailedCall(call), call.output ?? '') : undefined;
  return cause === undefined ? call : { ...call, signature: cause.signature, message: cause.causeLine };
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
