/** The cures that a scripted session teaches. */
import type { Cure } from '../../src/base/model/cure.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { findCures } from '../../src/distill/episodes/find-cures.ts';
import { makeWindow, type Step } from './session-script.ts';

export function cure(...steps: readonly Step[]): readonly Pick<Cure, 'kind' | 'text'>[] {
  const script = steps.map((step) => (step.outcome === 'failure' ? signed(step) : step));
  return findCures(makeWindow(script)).map(({ cure: { kind, text } }) => ({ kind, text }));
}

/** With the signature that capture gives to a failure. */
function signed(step: Step): Step {
  const program = step.command?.split(' ')[0] ?? '';
  const cause = toSignature(program, step.output ?? '');
  return cause === undefined ? step : { ...step, signature: cause.signature, message: cause.causeLine };
}
