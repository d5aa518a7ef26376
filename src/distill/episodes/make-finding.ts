/** What a detector saw as a finding: the two calls, the words, the triggers, and where it stands. */
import type { LiveCall } from '../../base/model/call.ts';
import type { EpisodeKind, Finding, Signal } from '../../base/model/finding.ts';
import { type Evidence, EXCERPT_CHARS } from '../../base/model/lesson.ts';
import { dropAbsent } from '../../base/records.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { toSignature } from '../../base/text/signature.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import type { LessonText } from '../text/edit-text.ts';
import { FIXED_BY } from '../text/retell-lesson.ts';
import { findReplacement } from './find-replacement.ts';

interface Seen {
  /** `distill/corrected-command@1`. */
  readonly detector: string;
  readonly kind: EpisodeKind;
  readonly failing: LiveCall;
  readonly fixing: LiveCall;
  readonly steps: number;
  readonly text: LessonText;
  readonly triggers: Triggers;
  readonly intentKey: string;
  readonly signals: readonly Signal[];
  readonly scope?: Finding['scope'] | undefined;
}

/** None for a failure that said nothing that could be told again. */
export function makeFinding({ failing, fixing, text: told, scope, ...seen }: Seen): Finding | undefined {
  const said = failing.output ?? failing.message ?? '';
  const signature = failing.signature ?? toSignature(failing.program ?? failing.tool, said)?.signature;
  if (signature === undefined) return undefined;
  const { example = { mistake: told.mistake, fix: told.remediation }, ...text } = told;
  const replacement = findReplacement(failing, fixing, seen.triggers);
  return {
    ...seen,
    ...(failing.outcomeType === 'timeout' ? { signals: [...new Set<Signal>([...seen.signals, 'hang'])] } : {}),
    ...dropAbsent({ scope }),
    agent: failing.agent,
    sessionId: failing.sessionId,
    projectId: failing.projectId,
    failingCallId: failing.callId,
    fixingCallId: fixing.callId,
    signature,
    ...text,
    ...(text.edit === undefined ? {} : { edit: { ...text.edit, narrowed: true } }),
    evidence: toEvidence(failing, fixing, `${example.mistake}${FIXED_BY}${example.fix}`),
    ...replacement,
    ...dropAbsent({ model: failing.model, agentVersion: failing.agentVersion }),
  };
}

function toEvidence(failing: LiveCall, fixing: LiveCall, excerpt: string): Evidence {
  const [from, to] = [failing.evidence, fixing.evidence];
  const place =
    from !== undefined && to !== undefined && from.file === to.file
      ? { file: from.file, lines: [Math.min(from.line, to.line), Math.max(from.line, to.line)] as const }
      : {};
  const { agent, sessionId } = failing;
  return { agent, sessionId, ...place, at: fixing.occurredAt, excerpt: toShortChars(excerpt, EXCERPT_CHARS) };
}
