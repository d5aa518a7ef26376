/**
 * `oncebitten lessons feedback`: records whether a lesson helped, said by the user or an agent about the lesson or one
 * of its deliveries. `listStandingFeedback` lists the feedback that is still in force.
 */

import type { Store } from '../../../base/contracts/store.ts';
import { makeId } from '../../../base/ids.ts';
import { type Delivery, isOfFailure, type PlacedDelivery } from '../../../base/model/delivery.ts';
import {
  FEEDBACK_SOURCES,
  FEEDBACK_VERDICTS,
  type Feedback,
  type FeedbackFilter,
  type FeedbackSource,
  type FeedbackVerdict,
} from '../../../base/model/feedback.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { dropAbsent } from '../../../base/records.ts';
import { cleanTexts } from '../../../capture/secrets/clean-texts.ts';
import { makeSecretScan } from '../../../capture/secrets/scan-secrets.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import { giveFeedback, isInEffect, type NewFeedback } from '../../../promote/confidence.ts';
import { findNamed, getKnown } from '../arguments/lessons.ts';
import { findChoice, getChoice } from '../arguments/options.ts';
import { listCandidates, MAX_CANDIDATES } from '../arguments/sessions.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { joinLines, toLine, toMinute } from '../text.ts';
import { readUserName } from './change-lessons.ts';

const MAX_NOTE = 500;

export const run: Handler = async (input) => {
  const [about = '', word = ''] = input.arguments;
  const verdict = getChoice('verdict', word, FEEDBACK_VERDICTS);
  const from = findChoice('--by', input.options.by, FEEDBACK_SOURCES, 'source') ?? 'user';
  const note = await cleanNote(input.options.note as string | undefined);
  // Feedback on an unknown lesson must not create a store.
  return readHome(input, async (open) => {
    const target = await findTarget(open.store, about);
    const voice = makeVoice(input, target, { verdict, from, note });
    return 'lesson' in target ? say(open, target, voice) : sayOfCure(open, target.delivery, voice);
  });
};

interface Target {
  readonly lesson: Lesson;
  /** Absent: it was never shown. */
  readonly delivery?: Delivery;
}

/** A known fix that was shown at a failure. */
interface CureTarget {
  readonly delivery: Delivery;
}

/** A slug may begin like an id, but ids of deliveries have capitals. */
async function findTarget(store: Store, about: string): Promise<Target | CureTarget> {
  const named = await findNamed(store, about);
  if (named === undefined && /^dlv_/.test(about)) {
    const delivery = await getDelivery(store, about);
    const isCure = isOfFailure(delivery);
    if (delivery.arm === 'holdout')
      throw userError(
        `delivery ${delivery.id}`,
        `was withheld to measure the ${isCure ? 'known fix' : 'lesson'}, so nobody saw it`,
        isCure
          ? 'judge a delivery that was shown: oncebitten stats deliveries'
          : `judge the lesson itself: oncebitten lessons feedback ${delivery.lessonId} …`,
      );
    if (isCure) return { delivery };
    return { lesson: getKnown(delivery.lessonId, await store.findLesson(delivery.lessonId)), delivery };
  }
  const lesson = getKnown(about, named);
  const [delivery] = await store.listPlacedDeliveries({ lessonId: lesson.id, arm: 'shown', limit: 1 });
  return { lesson, ...dropAbsent({ delivery }) };
}

interface Opinion {
  readonly verdict: FeedbackVerdict;
  readonly from: FeedbackSource;
  readonly note: string | undefined;
}

function makeVoice(
  { env }: CommandInput,
  { delivery }: Target | CureTarget,
  { verdict, from, note }: Opinion,
): NewFeedback {
  const nowMs = Date.now();
  const by = from === 'user' ? readUserName(env) : `agent:${delivery?.agent ?? 'unknown'}`;
  return {
    ...{ id: makeId('fbk', nowMs), command: makeId('cmd', nowMs), at: new Date(nowMs).toISOString() },
    ...{ from, by, verdict },
    ...dropAbsent({ deliveryId: delivery?.id, note }),
  };
}

async function say(open: OpenHome, { lesson, delivery }: Target, voice: NewFeedback): Promise<CommandResult> {
  const { store, settings } = open;
  const feedback = await store.updateFeedback(lesson.id, (one) => giveFeedback(one, voice, settings));
  const after = (await store.findLesson(lesson.id)) ?? lesson;
  if (feedback?.command === voice.command) await compileLessons(open);
  const { id, slug, needsReview } = after;
  const moved = { id, slug, confidence: after.confidence, needsReview };
  const json = {
    isNew: feedback !== undefined,
    feedback: feedback ?? (await findEarlier(store, lesson, voice)) ?? null,
    lesson: moved,
  };
  return { json, text: render(feedback, lesson, after, { delivery, voice }) };
}

async function sayOfCure(open: OpenHome, { id, lessonId }: Delivery, voice: NewFeedback): Promise<CommandResult> {
  const feedback: Feedback = { ...voice, lessonId, moved: 0, isFlagging: false };
  await open.store.saveCureFeedback(feedback);
  // The daemon reads known fixes again when the manifest has changed.
  await compileLessons(open);
  const isSilent = voice.verdict === 'not-helpful' && voice.from === 'user';
  const end = isSilent ? 'It is not shown at this failure again in this project.' : 'It stays as it is.';
  return {
    json: { isNew: true, feedback, lesson: null },
    text: `Thank you: ${voice.verdict}, about the known fix of delivery ${id}.\n${end}`,
  };
}

async function findEarlier(
  store: Store,
  { id }: Lesson,
  { by, deliveryId }: NewFeedback,
): Promise<Feedback | undefined> {
  return (await store.listFeedback({ lessonId: id })).find((one) => one.by === by && one.deliveryId === deliveryId);
}

function render(
  feedback: Feedback | undefined,
  before: Lesson,
  after: Lesson,
  { delivery, voice }: { readonly delivery: Delivery | undefined; readonly voice: NewFeedback },
): string {
  const about = delivery === undefined ? 'never shown yet' : `shown ${toMinute(delivery.deliveredAt)} UTC`;
  const subject = `${after.slug} (${about})`;
  if (feedback === undefined) return `Already recorded: ${voice.by} said ${voice.verdict} about ${subject}.`;
  if (feedback.command !== voice.command) return `The note about ${subject} was changed; the verdict counts once.`;
  const isMoved = before.confidence !== after.confidence || before.needsReview !== after.needsReview;
  const silent = after.needsReview && !before.needsReview;
  return joinLines([
    `Thank you: ${voice.verdict}, about ${subject}.`,
    isMoved ? `Confidence ${before.confidence} -> ${after.confidence}.` : `Confidence stays ${after.confidence}.`,
    silent && `It does not fire until somebody reviews it: oncebitten lessons show ${after.slug}`,
    isMoved && `Undo: oncebitten lessons undo ${after.slug}`,
  ]);
}

/** Redacts before it shortens, because half a secret is not recognized. */
async function cleanNote(text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const [clean = ''] = await cleanTexts([text], makeSecretScan({ log: () => {} }));
  const note = toLine(clean, MAX_NOTE);
  return note === '' ? undefined : note;
}

/** The delivery that a person means by its id or the beginning of it, or an error that lists those it may be. */
async function getDelivery(store: Pick<Store, 'listPlacedDeliveries'>, text: string): Promise<PlacedDelivery> {
  const found = await store.listPlacedDeliveries({ idPrefix: text, limit: MAX_CANDIDATES + 1 });
  const only = found.length === 1 ? found[0] : found.find(({ id }) => id === text);
  if (only !== undefined) return only;
  const subject = `delivery ${toLine(text, 80)}`;
  if (found.length === 0)
    throw userError(subject, 'is not known', 'see the latest deliveries: oncebitten stats deliveries');
  const shown = found.map(({ id, deliveredAt }) => `${id}  ${toMinute(deliveredAt)}`);
  const next = `give more characters of one of these ids:${listCandidates(shown)}`;
  throw userError(subject, 'matches several deliveries', next);
}

/** Feedback on lessons that is still in force, oldest first. */
export async function listStandingFeedback(store: Store, filter?: FeedbackFilter): Promise<readonly Feedback[]> {
  const said = await store.listFeedback(filter);
  const taken = await listTakenBack(store, said);
  return said.filter(({ id }) => !taken.has(id));
}

/** Ids of feedback that somebody took back with `lessons undo`. It stays stored for a redo, but no longer counts. */
export async function listTakenBack(
  store: Pick<Store, 'listChangesBy'>,
  feedback: readonly Feedback[],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const [by, said] of Map.groupBy(feedback, (one) => one.by)) {
    const changes = await store.listChangesBy(by);
    for (const one of said) if (!isInEffect(one, changes)) taken.add(one.id);
  }
  return taken;
}
