/** `oncebitten explain --failure`: which known fix an agent would be shown with the error of a call, or why none. */

import type { AgentAdapter } from '../../../base/contracts/agent-adapter.ts';
import type { Store } from '../../../base/contracts/store.ts';
import type { StoredCall } from '../../../base/model/call.ts';
import { toCureId } from '../../../base/model/cure.ts';
import type { EventOf } from '../../../base/model/event.ts';
import { makeToProjectId } from '../../../base/model/project.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { dropEndedMutes, type Mute } from '../../../base/model/switches.ts';
import { dropAbsent } from '../../../base/records.ts';
import { toSignedFailure } from '../../../capture/calls/to-calls.ts';
import { type CureSilence, findKnownFixOf } from '../../../loop/delivery/known-failures.ts';
import { type JudgedFailure, listCuredFailures } from '../../../loop/delivery/read-knowledge.ts';
import { readSwitches } from '../../../loop/privacy/switches.ts';
import { chooseCure, openCuredFailures } from '../../../match/cure-book.ts';
import { readManifest, withSettings } from '../../../match/manifest.ts';
import type { CommandInput, CommandResult } from '../command.ts';
import { userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { quoteWord, toLine, toMinute } from '../text.ts';
import type { Off } from './hook-answer.ts';

interface FailureQuestion {
  readonly input: CommandInput;
  readonly adapter: AgentAdapter;
  readonly event: EventOf<'call-ended'>;
  readonly projectId: string;
  readonly off: Off | undefined;
  /** The signature and cause of a stored call; made from the error where they are absent. */
  readonly failure?: Failure;
}

interface Failure {
  readonly signatureId: string;
  readonly cause: string;
}

type Silence = CureSilence | NonNullable<JudgedFailure['silence']> | Off | 'no failure' | 'agent' | 'no lessons yet';

interface Explained {
  readonly silence: Silence | null;
  /** The line of the error that states its cause. */
  readonly cause: string | null;
  readonly signature: string | null;
  /** The text that the agent would read. */
  readonly text: string | null;
  readonly knownFix: {
    readonly text: string;
    readonly sessions: readonly { readonly agent: string; readonly sessionId: string; readonly at: string }[];
  } | null;
}

export function explainFailure(question: FailureQuestion): Promise<CommandResult> {
  const { home, env } = question.input;
  return readHome({ home, env }, async ({ store, settings }) => {
    const projectId = makeToProjectId(await store.listProjectAliases())(question.projectId);
    const all = await listCuredFailures(store, settings);
    const explained = explain({ ...question, projectId }, all, settings);
    const failure = all.find((one) => one.projectId === projectId && one.signatureId === explained.signature);
    const muted = explained.silence === 'muted' ? await renderMute(question, failure, store) : undefined;
    return { json: explained, text: render(explained, question, muted) };
  });
}

const MAX_LOOKED_AT = 20_000;

/** The stored call that a person means by its id or the beginning of it. */
export async function findFailedCall(input: CommandInput, text: string): Promise<StoredCall> {
  const found = await readHome(input, async ({ store }) => {
    const [exact] = await store.listCalls({ callId: text });
    if (exact !== undefined) return [exact];
    return (await store.listCalls({ limit: MAX_LOOKED_AT })).filter(({ callId }) => callId.startsWith(text));
  });
  const [call] = found;
  const reason =
    call === undefined
      ? 'is not known'
      : found.length > 1
        ? `matches ${found.length} calls`
        : call.signature === undefined
          ? 'did not fail'
          : undefined;
  if (call !== undefined && reason === undefined) return call;
  const next = 'see failed calls and their ids: oncebitten sessions failures --each --json';
  throw userError(`call ${toLine(text, 80)}`, reason ?? '', next);
}

/** A stored failure as the event that its hook was. Its texts are shortened, so its signature is not made again. */
export function toFailureEvent(call: StoredCall): EventOf<'call-ended'> {
  const { agent, sessionId, contextId, callId, tool, rawTool, inputSummary = '', targetPath, exitCode } = call;
  const named = tool === 'shell' ? { command: inputSummary } : dropAbsent({ path: targetPath });
  return {
    ...{ kind: 'call-ended', agent, sessionId, contextId, at: new Date().toISOString(), source: 'hook' },
    ...{ callId, tool, rawTool, input: { ...named, json: inputSummary } },
    result: { isError: true, text: call.outputSummary ?? '', ...dropAbsent({ exitCode }) },
  };
}

function explain(question: FailureQuestion, all: readonly JudgedFailure[], settings: Settings): Explained {
  const { event, projectId, input } = question;
  const signed = question.failure === undefined ? toSignedFailure(event, event, projectId) : undefined;
  const signatureId = question.failure?.signatureId ?? signed?.signature?.id;
  const judged = all.find((one) => one.projectId === projectId && one.signatureId === signatureId);
  const known = chooseCure(judged?.cures ?? [], event.input.command);
  const facts = {
    cause: question.failure?.cause ?? signed?.message ?? null,
    signature: signatureId ?? null,
    knownFix: known && {
      text: known.text,
      sessions: known.cures.map(({ agent, sessionId, at }) => ({ agent, sessionId, at })),
    },
  };
  const toSilent = (silence: Silence): Explained => ({
    ...facts,
    knownFix: facts.knownFix ?? null,
    silence,
    text: null,
  });
  if (signatureId === undefined) return toSilent('no failure');
  if (question.off !== undefined) return toSilent(question.off);
  if (!settings.delivery.knownFixes) return toSilent('switched off');
  const { knownFixes } = question.adapter.capabilities;
  if (knownFixes === 'none' || (knownFixes === 'commands' && event.tool !== 'shell')) return toSilent('agent');
  if (judged?.silence !== undefined) return toSilent(judged.silence);
  const manifest = withSettings(readManifest(input.home.manifestFile), settings);
  if (manifest === undefined) return toSilent('no lessons yet');
  const { silence, text } = findKnownFixOf(signatureId, event, event, {
    ...{ manifest, projectId, claimsDir: input.home.claimsDir, switches: readSwitches(input.home.switchesFile) },
    ...{ failures: openCuredFailures(all), probe: false, elapsedUs: () => 0 },
  });
  if (text === undefined) return toSilent(silence ?? 'unknown failure');
  return { ...facts, knownFix: facts.knownFix ?? null, silence: null, text };
}

const REASONS: Readonly<Record<Silence, string>> = {
  'no failure': 'this error is no failure: the exit code only reports a result',
  'unknown failure':
    'no earlier session of this project solved this failure (failures of tests, of the network, and of edits whose text is not found never get a known fix)',
  'same session': 'only this session solved the failure, so its agent knows the fix already',
  'other call': 'the known fixes change words that this call does not have',
  'error names it': 'the error itself names the fix',
  'told before': 'this conversation has already seen a known fix of this failure, or a lesson about it',
  'did not help': 'the fix did not help when it was shown: the same failure came again',
  'not helpful': 'a person said that the fix is not helpful',
  archived: 'a person archived or rejected the lesson about this failure',
  'switched off': 'known fixes are switched off. Switch them on: oncebitten config set delivery.knownFixes true',
  agent: 'this agent does not read notes about a failure',
  'no lessons yet': 'the lessons were not compiled yet. Compile them: oncebitten daemon start',
  muted: 'all lessons are muted. Unmute them: oncebitten lessons unmute --all',
  paused: 'Oncebitten is paused here',
  private: 'this folder is private',
  disabled: 'ONCEBITTEN_DISABLED is 1 in this shell',
};

/** What is muted (this known fix, a lesson about the failure, or everything), and the command that ends it. */
async function renderMute(
  { input, event }: FailureQuestion,
  failure: JudgedFailure | undefined,
  store: Store,
): Promise<string> {
  const { sessionId, at } = event;
  const { mutes } = dropEndedMutes(readSwitches(input.home.switchesFile), Date.parse(at));
  const here = mutes.filter((one) => one.sessionId === undefined || one.sessionId === sessionId);
  const ids = failure?.lessons.map(({ id }) => id) ?? [];
  const cureId = failure && toCureId(failure.signatureId);
  const toText = (muted: string, name: string, mute: Mute | undefined): string => {
    const where = mute?.sessionId === undefined ? '' : ` --session ${quoteWord(mute.sessionId)}`;
    const unmute = name === '--all' ? 'Unmute them' : 'Unmute it';
    return `${muted}. ${unmute}: oncebitten lessons unmute ${name}${where}`;
  };
  const ofFix = here.find(({ lessonId }) => lessonId !== undefined && lessonId === cureId);
  if (failure !== undefined && ofFix !== undefined) return toText('you muted this fix', failure.signatureId, ofFix);
  const ofLesson = here.find(({ lessonId = '' }) => ids.includes(lessonId));
  if (ofLesson?.lessonId === undefined)
    return toText(
      'you muted all lessons',
      '--all',
      here.find(({ lessonId }) => lessonId === undefined),
    );
  const name = (await store.findLesson(ofLesson.lessonId))?.slug ?? ofLesson.lessonId;
  return toText(`you muted the lesson about this failure, ${name}`, name, ofLesson);
}

function render({ silence, cause, text, knownFix }: Explained, { adapter }: FailureQuestion, muted?: string): string {
  const from = knownFix?.sessions.map(
    ({ agent, sessionId, at }) => `  ${agent} ${toLine(sessionId)} ${toMinute(at)} UTC`,
  );
  const learned = from === undefined ? [] : ['The fix worked in these sessions:', ...from];
  const head = cause === null ? [] : [`Cause: ${toLine(cause)}`];
  if (silence !== null)
    return [
      ...head,
      `Oncebitten would not show ${adapter.facts.name} ${knownFix === null ? 'a' : 'the'} known fix, because ${muted ?? `${REASONS[silence]}.`}`,
      ...(knownFix === null ? [] : [`The known fix: ${toLine(knownFix.text)}`, ...learned]),
    ].join('\n');
  return [
    ...head,
    `${adapter.facts.name} would read this with the error, once in a conversation:`,
    ...(text ?? '').split('\n').map((line) => `  ${line}`),
    ...learned,
  ].join('\n');
}
