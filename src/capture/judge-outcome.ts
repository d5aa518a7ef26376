/**
 * The outcome of a call: what the facts say, and where they say success, whether its command hid the failure of a
 * program. Where nobody told how a command ended but its output is there, an error line of its program tells that it
 * failed. Apart from the facts, because the hook has no time for it.
 */
import type { EndedCall } from '../base/event.ts';
import { findMaskedError } from './find-masked-error.ts';
import { type Judgement, judgeFacts } from './judge-facts.ts';

const MASKED: Judgement = { outcome: 'failure', outcomeType: 'masked', masked: true };
const BY_TEXT: Judgement = { outcome: 'failure', outcomeType: 'error-line', masked: false };

export function judgeOutcome(call: EndedCall): Judgement {
  const judgement = judgeFacts(call);
  if (judgement.outcomeType === 'no-end') return isMasked(call) ? BY_TEXT : judgement;
  const isDone = judgement.outcome === 'success' || judgement.outcome === 'partial';
  return isDone && judgement.outcomeType !== 'background' && isMasked(call) ? MASKED : judgement;
}

function isMasked({ tool, input, result }: EndedCall): boolean {
  return tool === 'shell' && findMaskedError(input.command ?? '', result.text, result.unended) !== undefined;
}
