/** One project with a mistake that a model reads, its fix, and enough working calls to compare with. */
import type { LiveCall } from '../../src/base/model/call.ts';
import type { ModelOrigin } from '../../src/base/model/lesson.ts';
import { signCall, toFailedCall } from '../../src/base/text/signature.ts';
import { gateFinding, type PastCall } from '../../src/distill/gate/gate-finding.ts';
import { makeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { parseAnswer } from '../../src/distill/packs/answer-schema.ts';
import type { Conversation } from '../../src/distill/packs/conversation.ts';
import { proposeLessons } from '../../src/distill/packs/propose-lessons.ts';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { makeHasRun } from '../../src/loop/language-models/take-answers.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { failed, makeWindow, type Step, type Words, worked } from '../distill/session-script.ts';

export const ORIGIN: ModelOrigin = { provider: 'file', promptVersion: 1, pack: 'p' };
export const NOW = '2026-01-02T03:04:05.000Z';

/** A good answer about `e1`: one row of a test changes what it is about. */
export const GOOD_LESSON = {
  summary: '`frob sync` has no --all; use --every',
  mistake: '`frob sync` does not know the option --all.',
  advice: 'Use `frob sync --every`.',
  trigger: { program: 'frob', subcommand: ['sync'], with: ['--all'] },
  evidence: ['e1'],
  fixes: ['e1.1'],
};

/** `output`: what the failing call printed. `e1` is the failure, `e1.1` the call after it. */
export function makeProject(output = 'frob: unknown flag: --all', more: readonly (Step | Words)[] = []): Conversation {
  const before = ['frob list', 'frob list -v', 'frob show 1', 'frob sync --every x', 'frob pull', 'frob status'];
  const script = [...before.map((command) => worked(command)), failed('frob sync --all', output)];
  const { calls, spoken } = makeWindow([...script, worked('frob sync --every'), worked('git status'), ...more]);
  return { calls: calls.map(sign), spoken };
}

/** With the cause and the signature that a captured failure has. */
function sign(call: LiveCall): LiveCall {
  const signed = call.outcome === 'failure' ? signCall(toFailedCall(call), call.output ?? '') : undefined;
  return signed === undefined ? call : { ...call, message: signed.causeLine, signature: signed.signature };
}

/** The lessons that an answer makes of a project, and what was dropped. */
export function learnFrom(answer: unknown, conversation: Conversation = makeProject()) {
  const { calls } = conversation;
  const at = calls.findIndex(({ outcome }) => outcome === 'failure');
  const ids = new Map([
    ['e1', calls[at]],
    ['u1', calls[at + 1]],
    ...[1, 2, 3, 4].map((n) => [`e1.${n}`, calls[at + n]] as const),
  ]);
  const parsed = parseAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer));
  if (parsed === undefined) return { lessons: [], dropped: [{ summary: '', reason: 'no JSON' }] };
  const { proposals, dropped } = proposeLessons(
    parsed,
    {
      find: (id) => {
        const call = ids.get(id);
        return call === undefined ? undefined : [{ call, conversation }];
      },
      findLesson: () => undefined,
      origin: ORIGIN,
    },
    { holds: holdsInPast, isLinear: isLinearRegex, hasRun: makeHasRun(calls as readonly PastCall[]) },
  );
  const past = calls.map((call): PastCall => ({ ...call, signatureId: call.signature?.id }));
  const judged = proposals.flatMap(({ summary, findings }) =>
    findings.map(({ finding }) => ({ summary, finding, gate: gateFinding(finding, past, holdsInPast) })),
  );
  return {
    lessons: judged
      .filter(({ gate }) => gate.verdict !== 'dropped')
      .map(({ finding, gate }) => makeLesson(finding, gate, NOW)),
    dropped: [
      ...dropped,
      ...judged
        .filter(({ gate }) => gate.verdict === 'dropped')
        .map(({ summary, gate }) => ({ summary, reason: gate.reason })),
    ],
  };
}
