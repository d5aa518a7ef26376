/**
 * What trivial programs would have said, judged like the product. `exactRepeat` warns when the very same call failed in
 * an earlier session of the project and never worked since. `cureBook` keeps, for each frozen signature of a failure,
 * the words that differ in the next working call, and tells them at the next failure with this signature.
 */
import type { Help } from './judge-help.ts';
import type { PastCall, PastCalls } from './past-calls.ts';
import { type ReferenceEdit, toExactCall, toReferenceEdit } from './reference.ts';

export function exactRepeat({ all }: PastCalls): readonly Help[] {
  const failures = new Map<string, PastCall[]>();
  const help: Help[] = [];
  const told = new Set<string>();
  for (const call of all) {
    const key = `${call.projectId}\n${toExactCall(call)}`;
    const before = (failures.get(key) ?? []).filter(({ session }) => session !== call.session);
    if (before.length > 0 && isFirst(told, `${call.context}\n${key}`)) help.push(toHelp('warning', call, before));
    if (call.hasFailed) failures.set(key, [...(failures.get(key) ?? []), call]);
    else if (call.hasWorked && !call.isHidden) failures.delete(key);
  }
  return help;
}

interface Entry {
  readonly call: PastCall;
  readonly edit: ReferenceEdit;
}

export function cureBook(past: PastCalls): readonly Help[] {
  const book = new Map<string, Entry[]>();
  const help: Help[] = [];
  const told = new Set<string>();
  for (const call of past.all) {
    if (!call.hasFailed || call.reference === undefined) continue;
    const key = `${call.projectId}\n${call.reference}`;
    const before = (book.get(key) ?? []).filter((one) => one.call.session !== call.session);
    const last = before.at(-1);
    if (last !== undefined && isFirst(told, `${call.context}\n${key}`)) {
      const taught = before.map((one) => one.call);
      help.push({ ...toHelp('cure', call, taught), cure: last.edit });
    }
    const fix = past.findFix(call);
    const edit = fix && toReferenceEdit(call, fix);
    if (edit !== undefined && edit.removed.length + edit.added.length > 0)
      book.set(key, [...(book.get(key) ?? []), { call, edit }]);
  }
  return help;
}

function toHelp(kind: Help['kind'], call: PastCall, taught: readonly PastCall[]): Help {
  return {
    ...{ kind, call },
    places: taught.map(({ place }) => place),
    references: taught.flatMap(({ reference }) => reference ?? []),
  };
}

function isFirst(told: Set<string>, key: string): boolean {
  const isNew = !told.has(key);
  told.add(key);
  return isNew;
}
