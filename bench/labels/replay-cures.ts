/**
 * The cures that agents would have been shown with their failures: each is learned from earlier sessions and shown with
 * the text and the bounds of the product. A sample of them goes to readers who judge them by the evidence alone.
 */
import type { Cure as ProductCure } from '../../src/base/model/cure.ts';
import { dropAbsent } from '../../src/base/records.ts';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { isKnownFixForAllProjects } from '../../src/distill/gate/is-repository-cause.ts';
import { toFixTopic } from '../../src/distill/propose/known-fix.ts';
import type { ReplayStep } from '../../src/loop/replay/read-sessions.ts';
import { toReplayOrder } from '../../src/loop/replay/time-order.ts';
import { chooseCure, type KnownCure } from '../../src/match/cure-book.ts';
import { renderCure } from '../../src/match/cure-text.ts';
import { makeDice } from '../make-dice.ts';
import type { Cure, Help } from './judge-help.ts';
import type { PastCall, PastCalls } from './past-calls.ts';
import { type ReferenceEdit, toReferenceEdit } from './reference.ts';

interface ShownCure {
  readonly call: PastCall;
  readonly known: KnownCure;
  /** What the agent reads. */
  readonly text: string;
}

export type FindOutput = (call: PastCall) => string;

/** A replay keeps both ends of an output. */
const findSummary: FindOutput = ({ step }) => step.call?.outputSummary ?? '';

const MAX_IN_CONTEXT = 3;

/** In the order of time. A cause is told once in a context, and a context hears at most three cures. */
export function replayCures(
  steps: readonly ReplayStep[],
  past: PastCalls,
  findOutput: FindOutput = findSummary,
): readonly ShownCure[] {
  const byStep = new Map(past.all.map((call) => [call.step, call]));
  const byKey = new Map(past.all.map((call) => [toKey(call), call]));
  const book = openCureBook();
  const shown: ShownCure[] = [];
  const heard = new Map<string, Set<string>>();
  for (const { kind, step } of toReplayOrder(steps)) {
    if (kind === 'ask') continue;
    const call = byStep.get(step);
    const signatureId = step.call?.signature?.id;
    if (call?.hasFailed && step.call !== undefined && signatureId !== undefined) {
      const known = book.find({ ...step.call, signatureId });
      const text = known && render(known, call, findOutput);
      const ofContext = heard.get(call.context) ?? new Set();
      if (known !== undefined && text !== undefined && !ofContext.has(signatureId) && ofContext.size < MAX_IN_CONTEXT) {
        heard.set(call.context, ofContext.add(signatureId));
        shown.push({ call, known, text });
      }
    }
    for (const cure of step.digest.cures) book.add(cure, isEverywhere(cure, byKey.get(toFailingKey(cure))));
  }
  return shown;
}

/** A failed call that asks for a cure. */
interface Failure {
  readonly command?: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly signatureId: string;
}

interface CureBook {
  /** `isEverywhere`: the failure has nothing to do with the project. */
  add(cure: ProductCure, isEverywhere?: boolean): void;
  find(failure: Failure): KnownCure | undefined;
}

function openCureBook(): CureBook {
  const book = new Map<string, ProductCure[]>();
  return {
    add(cure, isEverywhere = false) {
      for (const projectId of isEverywhere ? [cure.projectId, ''] : [cure.projectId]) {
        const key = toBookKey({ ...cure, projectId });
        // A later call may show a better cure for the same failure, as in the store.
        const others = (book.get(key) ?? []).filter((one) => !isSameFailure(one, cure));
        book.set(key, [...others, cure]);
      }
    },
    find: (failure) => {
      const known = [failure.projectId, ''].map((projectId) => book.get(toBookKey({ ...failure, projectId })) ?? []);
      const earlier = known.map((cures) => cures.filter(({ sessionId }) => sessionId !== failure.sessionId));
      return chooseCure(earlier.find(({ length }) => length > 0) ?? [], failure.command);
    },
  };
}

function toBookKey({ projectId, signatureId }: Pick<Failure, 'projectId' | 'signatureId'>): string {
  return `${projectId}\n${signatureId}`;
}

function isSameFailure(a: ProductCure, b: ProductCure): boolean {
  return a.failingCallId === b.failingCallId && a.sessionId === b.sessionId && a.agent === b.agent;
}

/** As the lesson about it becomes one for all projects. */
function isEverywhere({ text }: ProductCure, failing: PastCall | undefined): boolean {
  const call = failing?.step.call;
  if (call?.signature === undefined) return false;
  const triggers = { tools: [call.tool], failure: true } as const;
  return isKnownFixForAllProjects({ tags: [toFixTopic(text)], signature: call.signature, triggers }, call);
}

function render(known: KnownCure, call: PastCall, findOutput: FindOutput): string | undefined {
  const { command, step } = call;
  const failing = { ...dropAbsent({ command, root: step.call?.projectRoot }), rawTool: step.call?.rawTool ?? '' };
  return renderCure(known, { ...failing, output: findOutput(call) }, step.endedAt);
}

export function toCureHelp(shown: readonly ShownCure[], past: PastCalls): readonly Help[] {
  const byKey = new Map(past.all.map((call) => [toKey(call), call]));
  return shown.map(({ call, known }) => {
    const places = known.cures.flatMap((cure) => byKey.get(toFailingKey(cure))?.place ?? []);
    const references = places.flatMap((place) => past.find(place)?.reference ?? []);
    return { kind: 'cure', call, places, references, cure: toReferenceCure(known.cures[0], call) };
  });
}

/** The words that the cure adds to this call and takes out of it. */
function toReferenceCure(cure: ProductCure | undefined, call: PastCall): Cure {
  if (cure?.kind === 'read-first') return { removed: [], added: [], first: 'read' };
  if (cure?.kind === 'first') return { removed: [], added: [], first: toQuoted(cure.text).split(' ', 1)[0] ?? '' };
  if (cure?.kind === 'folder') return { removed: [], added: [], folder: toFolder(cure, call) };
  if (cure?.kind === 'input') return { removed: [], added: [], parameter: toQuoted(cure.text).replace(/:.*/, '') };
  if (cure?.kind === 'tool') return { removed: [], added: [], tool: /`/.test(cure.text) ? 'shell' : 'other' };
  const inText = cure?.kind === 'form' ? toTextEdit(cure.text) : undefined;
  if (inText !== undefined) return { removed: [], added: [], inText };
  if (cure?.kind === 'form') return { removed: [], added: listNew(toQuoted(cure.text), call) };
  // A move before it is a command of its own.
  const applied = cure?.edit && applyEdit(cure.edit, call.command ?? '')?.replace(/^cd \S+ && /, '');
  const made = applied === undefined ? undefined : toReferenceEdit(call, { ...call, command: applied });
  // In a line of several commands, the two that are most alike may be those that the cure leaves alone.
  if (made !== undefined && made.removed.length + made.added.length > 0) return made;
  const words = cure?.edit?.steps.flatMap((step) => ('from' in step ? [step] : [])) ?? [];
  const listWords = (side: 'from' | 'to'): readonly string[] =>
    words.flatMap((step) => step[side].filter((word) => typeof word === 'string'));
  return { removed: listWords('from'), added: listWords('to') };
}

/** The folder of a project has a name of its own. */
function toFolder({ text, edit }: ProductCure, { step }: PastCall): string {
  const [first] = edit?.steps ?? [];
  const isRoot = first !== undefined && 'first' in first && first.first[1] === '.';
  return isRoot ? (step.call?.projectRoot ?? '') : toQuoted(text);
}

function toQuoted(text: string): string {
  return /`([^`]+)`/.exec(text)?.[1] ?? '';
}

const IN_TEXT = /\b(?:replace `([^`]+)` with `([^`]+)`|(?:leave out|without) `([^`]+)`|add `([^`]+)`)/g;

/** What a cure says to change inside a text. */
function toTextEdit(text: string): ReferenceEdit | undefined {
  if (!/^(?:inside the text,|write the text without) /.test(text)) return undefined;
  const told = [...text.matchAll(IN_TEXT)];
  return {
    removed: told.flatMap(([, from, , gone]) => from ?? gone ?? []),
    added: told.flatMap(([, , to, , more]) => to ?? more ?? []),
  };
}

/** The words of a form that this call lacks. A kind of object is no word. */
function listNew(form: string, { command = '' }: PastCall): readonly string[] {
  return form.split(' ').filter((word) => !/[<>…]/.test(word) && !command.includes(word));
}

/** What a reader needs to judge a cure. */
interface SampledCure {
  readonly failing: string;
  readonly error: string;
  /** As it is shown at the next failure with this signature, which is `at`, or at its own failure. */
  readonly shown: string;
  readonly at: string;
  readonly fixing: string;
}

/** Random cures, the same for the same seed. Cures that would not be shown are no part of the sample. */
export function sampleCures(
  steps: readonly ReplayStep[],
  past: PastCalls,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly SampledCure[] {
  const byKey = new Map(past.all.map((call) => [toKey(call), call]));
  const later = replayCures(steps, past);
  const cures = steps.flatMap(({ digest }) => digest.cures);
  const all = cures.flatMap((cure) => toSampled(cure, { byKey, later, cures }) ?? []);
  const dice = makeDice(seed);
  const left = [...all];
  return Array.from({ length: Math.min(count, all.length) }, () => left.splice(dice.roll(left.length), 1)).flat();
}

interface Known {
  readonly byKey: ReadonlyMap<string, PastCall>;
  readonly later: readonly ShownCure[];
  readonly cures: readonly ProductCure[];
}

function toSampled(cure: ProductCure, { byKey, later, cures }: Known): SampledCure | undefined {
  const failing = byKey.get(toFailingKey(cure));
  const fixing = byKey.get(`${cure.agent}\n${cure.sessionId}\n${cure.fixingCallId}`);
  const known = cures.filter(
    ({ signatureId, projectId }) => signatureId === cure.signatureId && projectId === cure.projectId,
  );
  const own = chooseCure(known, failing?.command);
  // Another one is better proven.
  if (own?.text !== cure.text) return undefined;
  if (failing === undefined || fixing === undefined || own === undefined) return undefined;
  const next = later.find(({ known }) => known.cures.includes(cure));
  const text = next?.text ?? render(own, failing, findSummary);
  if (text === undefined) return undefined;
  return {
    failing: toLine(failing),
    error: findSummary(failing),
    shown: text,
    at: toLine(next?.call ?? failing),
    fixing: toLine(fixing),
  };
}

function toLine({ command, step, path, parameters }: PastCall): string {
  return command ?? `${step.call?.rawTool} ${JSON.stringify({ path, ...parameters })}`;
}

function toFailingKey({ agent, sessionId, failingCallId }: ProductCure): string {
  return `${agent}\n${sessionId}\n${failingCallId}`;
}

function toKey({ step }: PastCall): string {
  return `${step.call?.agent}\n${step.call?.sessionId}\n${step.call?.callId}`;
}
