/**
 * Makes packs from past sessions: chooses episodes, renders them, fills packs up to a bound, and removes secrets once more
 * from the finished text. A pack is of one project; packs of single sessions know nothing of other sessions.
 */

import { hashText } from '../../base/ids.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { isInScope } from '../../base/model/lesson-scope.ts';
import { type PackedCall, type PackIndex, type PackKind, PROMPT_VERSION } from '../../base/model/pack.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import { toSessionKey } from '../../base/model/session.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { cleanTexts } from '../../capture/secrets/clean-texts.ts';
import type { SecretScan } from '../../capture/secrets/scan-secrets.ts';
import { chooseEpisodes, type PackEpisode } from '../../distill/packs/choose-episodes.ts';
import { chooseWords, type PackWords } from '../../distill/packs/choose-words.ts';
import type { Conversation } from '../../distill/packs/conversation.ts';
import {
  type RenderedEpisode,
  renderEpisode,
  renderHead,
  renderKnown,
  renderWords,
} from '../../distill/packs/render-pack.ts';
import { firesAt } from '../learning/past-calls.ts';

export interface Pack {
  readonly index: PackIndex;
  readonly text: string;
  readonly episodes: number;
}

interface PackRequest {
  readonly by: PackKind;
  readonly conversations: readonly Conversation[];
  /** Lessons of the store. */
  readonly lessons: readonly Lesson[];
  /** Joined projects are one. */
  readonly toProjectId: ToProjectId;
  /** The name of a project, for the names of its packs. */
  readonly toName: (projectId: string) => string;
  /** Was the model asked about this failure? */
  readonly isAsked: (call: LiveCall) => boolean;
  readonly maxCharacters: number;
  readonly scan: SecretScan;
}

/** The packs of the newest failures first. */
export async function makePacks(request: PackRequest): Promise<readonly Pack[]> {
  const { by, conversations, toProjectId } = request;
  const groups = Map.groupBy(splitByProject(conversations, toProjectId), ({ projectId, conversation: { calls } }) =>
    by === 'project' ? projectId : `${projectId}\n${calls[0] === undefined ? '' : toSessionKey(calls[0])}`,
  );
  const packs: Pack[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first !== undefined) packs.push(...(await makeOf(first.projectId, group.map(toConversation), request)));
  }
  return packs.toSorted((a, b) => (a.index.until < b.index.until ? 1 : Number(a.index.until > b.index.until) * -1));
}

interface Placed {
  readonly projectId: string;
  readonly conversation: Conversation;
}

function toConversation({ conversation }: Placed): Conversation {
  return conversation;
}

/** A session may move from one project to another. */
function splitByProject(conversations: readonly Conversation[], toProjectId: ToProjectId): readonly Placed[] {
  return conversations.flatMap(({ calls, spoken }) =>
    [...Map.groupBy(calls, (call) => toProjectId(call.projectId))].map(([projectId, own]) => ({
      projectId,
      conversation: { calls: own, spoken: spoken.filter((one) => toProjectId(one.projectId) === projectId) },
    })),
  );
}

async function makeOf(projectId: string, conversations: readonly Conversation[], request: PackRequest) {
  // Lessons of the store may come from later sessions than the one that the pack is about.
  const lessons = request.by === 'session' ? [] : request.lessons.filter((one) => isHere(one, projectId, request));
  const isKnown = (call: LiveCall): boolean => request.isAsked(call) || lessons.some((lesson) => covers(lesson, call));
  const rest = chooseEpisodes(conversations, { isKnown }).toReversed();
  const packs: Pack[] = [];
  // Words alone are no reason to ask.
  let words = rest.length === 0 ? [] : chooseWords(conversations, request.isAsked);
  while (rest.length > 0) {
    packs.push(await fillPack(projectId, { rest, words }, lessons, request));
    words = [];
  }
  return packs;
}

/** Drafts are left out: what nothing has proved yet is no reason to write no better lesson. */
function isHere(lesson: Lesson, projectId: string, { toProjectId }: PackRequest): boolean {
  return lesson.status === 'active' && isInScope(lesson.scope, { projectId }, toProjectId);
}

/** The lesson fires before this very mistake. */
function covers(lesson: Lesson, call: LiveCall): boolean {
  if (lesson.triggers.failure === true) return false;
  return lesson.signatureId === call.signature?.id && firesAt(lesson, call);
}

/** Takes the newest episodes that fit; always one. */
async function fillPack(
  projectId: string,
  { rest, words }: { readonly rest: PackEpisode[]; readonly words: readonly PackWords[] },
  lessons: readonly Lesson[],
  request: PackRequest,
): Promise<Pack> {
  const taken: PackEpisode[] = [];
  const toSession = makeSessionNames();
  const said = words.reduce((sum, one) => sum + renderWords('u1', one, toSession).text.length, 0);
  let room = request.maxCharacters - HEAD_CHARACTERS - said;
  for (let next = rest[0]; next !== undefined; next = rest[0]) {
    const { text } = renderEpisode(`e${taken.length + 1}`, next, toSession);
    if (taken.length > 0 && text.length > room) break;
    room -= text.length;
    taken.push(next);
    rest.shift();
  }
  return renderPack(projectId, { episodes: taken.reverse(), words }, lessons, request);
}

/** Room for the title and the known lessons. */
const HEAD_CHARACTERS = 3_000;
const MAX_KNOWN = 10;

async function renderPack(
  projectId: string,
  { episodes, words }: { readonly episodes: readonly PackEpisode[]; readonly words: readonly PackWords[] },
  lessons: readonly Lesson[],
  { by, toName, scan }: PackRequest,
): Promise<Pack> {
  const toSession = makeSessionNames();
  const rendered = [
    ...episodes.map((episode, n) => renderEpisode(`e${n + 1}`, episode, toSession)),
    ...words.map((one, n) => renderWords(`u${n + 1}`, one, toSession)),
  ];
  const known = listRelated(lessons, episodes).map((lesson, n) => ({ id: `k${n + 1}`, lesson }));
  const [knownText = '', ...texts] = await cleanTexts([renderKnown(known), ...rendered.map(({ text }) => text)], scan);
  const times = [
    ...episodes.flatMap(({ failing, next, later }) => [failing, ...next, later?.call]),
    ...words.flatMap(({ after, next }) => [after, ...next]),
  ].flatMap((call) => call?.occurredAt ?? []);
  const [from = '', until = ''] = [times.toSorted()[0], times.toSorted().at(-1)];
  const body = `${knownText}${texts.join('')}`;
  const id = `${toSlug(toName(projectId))}-${hashText(`${projectId}\n${body}`)}`;
  return {
    index: {
      id,
      promptVersion: PROMPT_VERSION,
      by,
      projectId,
      until,
      calls: joinCalls(rendered),
      lessons: Object.fromEntries(known.map(({ id: name, lesson }) => [name, lesson.id])),
    },
    text: `${renderHead({ id, episodes: episodes.length, from, until })}${body}`,
    episodes: episodes.length,
  };
}

function joinCalls(rendered: readonly RenderedEpisode[]): Record<string, readonly PackedCall[]> {
  return Object.assign({}, ...rendered.map(({ calls }) => calls));
}

/** Lessons about the failures of the pack first, then those about its programs. */
function listRelated(lessons: readonly Lesson[], episodes: readonly PackEpisode[]): readonly Lesson[] {
  const failing = episodes.map((episode) => episode.failing);
  const signatures = new Set(failing.map(({ signature }) => signature?.id));
  const programs = new Set(failing.flatMap((call) => parseCall(call).map(({ program }) => program)));
  const isSame = ({ signatureId }: Lesson): boolean => signatureId !== undefined && signatures.has(signatureId);
  const isNear = ({ triggers }: Lesson): boolean => triggers.programs?.some(({ name }) => programs.has(name)) === true;
  return [...lessons.filter(isSame), ...lessons.filter((one) => !isSame(one) && isNear(one))].slice(0, MAX_KNOWN);
}

/** `A`, `B` …: a pack needs to tell sessions apart, not to name them. */
function makeSessionNames(): (call: LiveCall) => string {
  const names = new Map<string, string>();
  return (call) => {
    const key = toSessionKey(call);
    const name = names.get(key) ?? toLetters(names.size);
    names.set(key, name);
    return name;
  };
}

function toLetters(n: number): string {
  const letter = String.fromCharCode(65 + (n % 26));
  return n < 26 ? letter : toLetters(Math.floor(n / 26) - 1) + letter;
}

function toSlug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || 'project'
  );
}
