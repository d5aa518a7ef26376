/** A brief as the text that opens a session, within a budget. What does not fit waits for the next session. */
import {
  type Brief,
  type BriefFailure,
  type BriefKind,
  type OpenSession,
  toFailureKey,
  toSessionKey,
} from '../base/brief.ts';
import { makePage } from './make-page.ts';

export interface BriefText {
  readonly text: string;
  /** Ids of the stored calls that are in the text. */
  readonly failures: readonly string[];
  readonly dead: readonly OpenSession[];
}

export function renderBrief(
  brief: Pick<Brief, 'failures' | 'texts'>,
  dead: readonly OpenSession[],
  budgetBytes: number,
): BriefText {
  const page = makePage(budgetBytes);
  /** In order, up to the first that has no room: what is small must not go before what is older. */
  const addAll = <T>(kind: BriefKind, items: readonly T[], toKey: (item: T) => string): readonly T[] => {
    const told: T[] = [];
    for (const item of items) {
      const entry = brief.texts?.[toKey(item)];
      // Written by an earlier build: the daemon writes it anew.
      if (entry === undefined) continue;
      // A heading with nothing under it says nothing.
      const text = told.length === 0 ? `${brief.texts?.[kind]}\n${entry}` : entry;
      if (Buffer.byteLength(text) > budgetBytes) continue;
      if (!page.add(text)) break;
      told.push(item);
    }
    return told;
  };
  const failuresTold = [
    ...addAll('failures', brief.failures.filter(isCall), toFailureKey),
    ...addAll('hooks', brief.failures.filter(isHook), toFailureKey),
  ];
  const deadTold = addAll('dead', dead, toSessionKey);
  return { text: page.text(), failures: failuresTold.flatMap((failure) => failure.ids), dead: deadTold };
}

function isHook({ hook }: BriefFailure): boolean {
  return hook !== undefined;
}

function isCall(failure: BriefFailure): boolean {
  return !isHook(failure);
}
