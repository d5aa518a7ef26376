/**
 * The outcome of a call: what the facts say, and where they say success, whether its command hid the failure of a
 * program. Apart from the facts, because the hook has no time for it.
 */
import type { EndedCall } from '../base/event.ts';
import { findMaskedError } from './find-masked-error.ts';
import { type Judgement, judgeFacts } from './judge-facts.ts';

const MASKED: Judgement = { outcome: 'failure', outcomeType: 'masked', masked: true };

export function judgeOutcome(call: EndedCall): Judgement {
  const judgement = judgeFacts(call);
  const isDone = judgement.outcome === 'success' || judgement.outcome === 'partial';
  return isDone && judgement.outcomeType !== 'background' && isMasked(call) ? MASKED : judgement;
}

function isMasked({ tool, input, result }: EndedCall): boolean {
  return tool === 'shell' && findMaskedError(input.command ?? '', result.text) !== undefined;
}
