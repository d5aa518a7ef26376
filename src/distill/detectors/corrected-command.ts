/**
 * A shell command that failed because of one of its words, and the command that then did the same without it. The
 * program's own error names the word, the parsed command gives its role: both together make the trigger.
 */
import type { LiveCall } from '../../base/call.ts';
import type { Detector, SessionWindow } from '../../base/detector.ts';
import type { Finding } from '../../base/finding.ts';
import { type Evidence, EXCERPT_CHARS } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import type { SimpleCommand } from '../../base/simple-command.ts';
import { toSignature } from '../../base/to-signature.ts';
import type { Culprit } from '../culprit.ts';
import { FIXED_BY } from '../drop-evidence.ts';
import { findCulprit } from '../find-culprit.ts';
import { type Fix, findFix, MAX_STEPS, type ParsedCommands } from '../find-fix.ts';
import { isVerdict, isWorld } from '../is-verdict.ts';
import { toIntentName, toLessonText } from '../to-lesson-text.ts';
import { isCulpritIn, toTriggers } from '../to-triggers.ts';

const NAME = 'distill/corrected-command@1';
/** Programs built for a test of this very session. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/folders)\//;

export const correctedCommand: Detector = { name: NAME, detect };

function detect({ calls, from }: SessionWindow): readonly Finding[] {
  const parsed = makeParser(calls);
  return calls.flatMap((call, index) => {
    if (index + MAX_STEPS < from || !isLearnable(call)) return [];
    const culprit = findCulprit(parsed(index), call.output ?? '');
    if (culprit === undefined || TEMPORARY.test(culprit.command.text)) return [];
    if (!isCulpritIn(culprit, culprit.command)) return [];
    const fix = findFix(culprit, calls, index, parsed);
    return fix === undefined || fix.index < from ? [] : toFindings(culprit, fix, calls, index);
  });
}

function isLearnable(call: LiveCall): boolean {
  if (call.tool !== 'shell' || call.outcome !== 'failure' || call.masked || call.command === undefined) return false;
  return call.output !== undefined && !isVerdict(call.output) && !isWorld(call.output);
}

function makeParser(calls: readonly LiveCall[]): ParsedCommands {
  const known = new Map<number, readonly SimpleCommand[]>();
  return (index) => {
    const commands = known.get(index) ?? parseCommand(calls[index]?.command ?? '');
    known.set(index, commands);
    return commands;
  };
}

function toFindings(culprit: Culprit, fix: Fix, calls: readonly LiveCall[], index: number): readonly Finding[] {
  const failing = calls[index];
  const fixing = calls[fix.index];
  if (failing === undefined || fixing === undefined) return [];
  const text = toLessonText(culprit, fix.command);
  const program = failing.program ?? culprit.command.program;
  const signature = failing.signature ?? toSignature(program, failing.output ?? '')?.signature;
  if (signature === undefined) return [];
  return [
    {
      detector: NAME,
      kind: 'corrected-command',
      agent: failing.agent,
      sessionId: failing.sessionId,
      projectId: failing.projectId,
      failingCallId: failing.callId,
      fixingCallId: fixing.callId,
      intentKey: toIntentName(culprit),
      steps: fix.index - index,
      signature,
      ...text,
      triggers: toTriggers(culprit),
      evidence: toEvidence(failing, fixing, `${text.mistake}${FIXED_BY}${text.remediation}`),
      signals: fix.confirmed ? ['error-fix-success', 'fix-confirmed'] : ['error-fix-success'],
      ...(failing.model === undefined ? {} : { model: failing.model }),
      ...(failing.agentVersion === undefined ? {} : { agentVersion: failing.agentVersion }),
    },
  ];
}

function toEvidence(failing: LiveCall, fixing: LiveCall, excerpt: string): Evidence {
  const [from, to] = [failing.evidence, fixing.evidence];
  const place =
    from !== undefined && to !== undefined && from.file === to.file
      ? { file: from.file, lines: [from.line, to.line] as const }
      : {};
  const { agent, sessionId } = failing;
  return { agent, sessionId, ...place, at: fixing.occurredAt, excerpt: excerpt.slice(0, EXCERPT_CHARS) };
}
