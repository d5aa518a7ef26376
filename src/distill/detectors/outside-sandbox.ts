/**
 * A command that the agent's sandbox forbids, and that worked when it was asked for outside of it: the same words, another
 * way of calling. The lesson is silent where the call asks for that at once.
 */
import { toName, toProgramTrigger } from '../command-shape.ts';
import { makePairDetector } from '../make-pair-detector.ts';
import { toShortCommand } from '../to-short-command.ts';

const MAX_STEPS = 4;
const FORBIDDEN = /operation not permitted|read-only file ?system|sandbox|permission denied(?! \(publickey)/i;
/** What agents call the parameter. */
const ESCALATED =
  '"(?:sandbox_permissions" *: *"require_escalated|with_escalated_permissions" *: *true|dangerouslyDisableSandbox" *: *true)';

export const outsideSandbox = makePairDetector({
  name: 'distill/outside-sandbox@1',
  kind: 'missing-precondition',
  maxSteps: MAX_STEPS,
  findCure({ calls, index, call, commands, toLines }) {
    const line = toLines().find((one) => FORBIDDEN.test(one));
    const [failed] = commands;
    if (line === undefined || failed === undefined || commands.length > 1 || call.masked) return undefined;
    const fixed = calls.findIndex((one, at) => at > index && one.command === call.command && one.outcome === 'success');
    // Nothing but the other parameters of the call was changed.
    if (fixed < 0 || fixed > index + 2 || calls[fixed]?.inputHash === call.inputHash) return undefined;
    const name = toName(failed);
    return {
      index: fixed,
      text: {
        summary: `\`${name}\` is blocked by the sandbox here: ask to run it outside at once`,
        mistake: `\`${toShortCommand(failed, 200)}\` failed: ${FORBIDDEN.exec(line)?.[0] ?? ''}`,
        remediation: `${toShortCommand(failed, 160)} (with escalated permissions)`,
        tags: [`tool:${failed.program}`, 'topic:sandbox'],
      },
      triggers: { tools: ['shell'], programs: [toProgramTrigger(failed)], input: { unless: [ESCALATED] } },
      intentKey: name,
      signals: ['fix-confirmed'],
    };
  },
});
