/**
 * Claims that let a lesson fire once per context, and pause a call once per session and shape of call: only the process
 * that makes the claim may deliver the lesson or refuse the call. A claim is a file that is created exclusively, so the
 * file system decides among parallel calls and processes, with or without the daemon. A forked session inherits the
 * claims of its parent through the trailers in its transcript.
 */

import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hashText } from '../base/ids.ts';
import type { CompiledLesson } from '../base/model/manifest.ts';
import type { Settings } from '../base/model/settings.ts';
import { groupBy } from '../base/records.ts';
import { isOption, type SimpleCommand, toPositionals } from '../base/shell/simple-command.ts';
import type { CallView } from '../base/triggers/call-view.ts';
import type { Triggers } from '../base/triggers/trigger.ts';
import type { TrailerEntry } from './reply-lines.ts';

/** Marks a session that continues another session's conversation. */
const HEIR = 'heir';

export interface Claimant {
  readonly agent: string;
  readonly sessionId: string;
  /** The empty string is the main conversation. */
  readonly contextId: string;
}

/** With `dedup: session` a lesson is shown once in all conversations of a session. */
export function toClaimant({ agent, sessionId, contextId }: Claimant, { dedup }: Pick<Settings, 'dedup'>): Claimant {
  return { agent, sessionId, contextId: dedup === 'session' ? '' : contextId };
}

type Claimed = Pick<CompiledLesson, 'id' | 'priority'>;

/**
 * True if this caller is the first. False if another was first or the claim cannot be made, because showing a lesson
 * too rarely is better than repeating it.
 */
export function claimLesson(claimsDir: string, claimant: Claimant, lesson: Claimed): boolean {
  // `dropClaims` compares the priority after compaction.
  const priority = String(lesson.priority);
  return createClaim(toSessionDir(claimsDir, claimant), toLessonClaimName(claimant, lesson), priority) === 'made';
}

export function hasClaimed(claimsDir: string, claimant: Claimant, lesson: Claimed): boolean {
  return existsSync(`${toSessionDir(claimsDir, claimant)}/${toLessonClaimName(claimant, lesson)}`);
}

function toLessonClaimName({ contextId }: Claimant, { id }: Claimed): string {
  return `${hashText(contextId)}-${hashText(id)}`;
}

/**
 * Lets lessons of this priority or more fire again, because the agent has forgotten them (`clear`, compaction). Affects
 * one conversation only; its sub-agents have their own contexts.
 */
export function dropClaims(claimsDir: string, claimant: Claimant, minPriority: number): void {
  const dir = toSessionDir(claimsDir, claimant);
  const own = hashText(claimant.contextId);
  for (const name of listNames(dir)) {
    // If the disk was full, the priority is in the name of a second file.
    const [claim = '', priority] = name.split('.');
    // A pause claim stays, so that a call is paused only once per session.
    if (!claim.startsWith(`${own}-`) && claim !== HEIR) continue;
    try {
      if (!(Number(priority ?? readFileSync(`${dir}/${name}`, 'utf8')) >= minPriority)) continue;
      for (const file of [name, claim]) rmSync(`${dir}/${file}`, { force: true });
    } catch {
      // Another process dropped the claim first, or the file is not a claim; the remaining claims are still dropped.
    }
  }
}

/** Removes all claims of a session. */
export function forgetClaims(claimsDir: string, session: Omit<Claimant, 'contextId'>): void {
  rmSync(toSessionDir(claimsDir, session), { recursive: true, force: true });
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

const PAUSE_PREFIX = 'pause-';

/** Any call: for a pause whose call is unknown. */
export const ANY_SHAPE = '';

/** Any lesson: for a call that was refused. */
const ANY_LESSON = '';

interface Pause {
  readonly agent: string;
  readonly sessionId: string;
  readonly lessonId: string;
  /** See `toCallShape`. */
  readonly shape: string;
}

interface StartedCall {
  readonly agent: string;
  readonly sessionId: string;
  readonly input: { readonly command?: string; readonly json: string };
}

/** The key of this exact call, whichever lesson or warning refused it. It has no shape if the input was no JSON. */
export function toRefusedCall({ agent, sessionId, input }: StartedCall): Pause {
  return { agent, sessionId, lessonId: ANY_LESSON, shape: input.command || input.json };
}

export function claimPause(claimsDir: string, pause: Pause): Claim {
  return createClaim(toSessionDir(claimsDir, pause), toPauseName(pause), '');
}

export function hasPaused(claimsDir: string, pause: Pause): boolean {
  const dir = toSessionDir(claimsDir, pause);
  return [pause, { ...pause, shape: ANY_SHAPE }].some((one) => existsSync(`${dir}/${toPauseName(one)}`));
}

function toPauseName({ lessonId, shape }: Pause): string {
  return `${PAUSE_PREFIX}${hashText(lessonId)}-${hashText(shape)}`;
}

type ShapedCall = Pick<CallView, 'tool' | 'commands' | 'path'>;

/**
 * The properties by which a call counts as the same call for one lesson: program, sub-command and option names; or tool
 * and file. Values and other commands of the line may differ between attempts.
 */
export function toCallShape({ tool, commands, path = '' }: ShapedCall, { programs = [] }: Triggers): string {
  if (commands.length === 0) return `${tool} ${path}`;
  const meant = commands.flatMap((command) => {
    // The lesson defines how many words are the sub-command; the words after them are values.
    const words = programs.filter(({ name }) => name === command.program).map(({ sub = [] }) => sub.length);
    return words.length === 0 ? [] : [toShape(command, Math.max(...words))];
  });
  return toSet(meant.length > 0 ? meant : commands.map((command) => toShape(command, 0))).join('\n');
}

function toShape(command: SimpleCommand, subWords: number): string {
  const names = toSet(command.args.flatMap(({ value }) => toOptionName(value)));
  return [command.program, ...toPositionals(command).slice(0, subWords), ...names].join(' ');
}

/** `--depth` of `--depth=3`, `-n` of `-n5`. */
function toOptionName(word: string): string | readonly [] {
  const [name = ''] = word.split('=', 1);
  return isOption(name) && name !== '--' ? name.replace(/\d+$/, '') : [];
}

function toSet(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort();
}

/** The highest priority, so that `dropClaims` removes the mark whenever the agent forgets lessons. */
const HEIR_PRIORITY = '10';

type Session = Omit<Claimant, 'contextId'>;
type Inherited = Pick<CompiledLesson, 'id' | 'slug' | 'priority'>;

/**
 * Marks a session that may continue another one. A fork continues a conversation under a new id, and no agent names the
 * old one. Its transcript contains the trailers of earlier deliveries but is written after the session began, so it is
 * read at the first call on which a lesson would fire; by then the agent has written it. A session that is resumed
 * after its claims were removed is treated the same. A session that has claims needs no mark.
 *
 * Known limit: with a scripted model that answers at once, the transcript was late in 1 of 15 forks and the lesson was
 * shown twice. No real model is that fast, and waiting for the file would delay all other calls of the daemon.
 */
export function markContinuedSession(claimsDir: string, session: Session): void {
  const dir = toSessionDir(claimsDir, session);
  if (!existsSync(dir)) createClaim(dir, HEIR, HEIR_PRIORITY);
}

/** For the main conversation only, because sub-agents start without history. Calls `readTrailers` only if it can matter. */
export function inheritClaims(
  claimsDir: string,
  session: Session,
  lessons: readonly Inherited[],
  readTrailers: () => readonly TrailerEntry[],
): void {
  if (!existsSync(`${toSessionDir(claimsDir, session)}/${HEIR}`)) return;
  const claimant = { ...session, contextId: '' };
  const open = lessons.filter((lesson) => !hasClaimed(claimsDir, claimant, lesson));
  if (open.length === 0) return;
  const shown = groupBy(readTrailers(), ({ lesson }) => lesson);
  for (const lesson of open) {
    const before = shown.get(lesson.slug);
    if (before === undefined) continue;
    claimLesson(claimsDir, claimant, lesson);
    // The shape of the paused call is no longer known.
    if (before.some(({ mode }) => mode === 'pause'))
      claimPause(claimsDir, { ...session, lessonId: lesson.id, shape: ANY_SHAPE });
  }
}

/** Makes an exclusive claim by name: true for the first caller, false for every later one in any process. */
export function claimName(claimsDir: string, name: string): boolean {
  try {
    mkdirSync(claimsDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(`${claimsDir}/${name}`, 'wx', 0o600));
    return true;
  } catch {
    return false;
  }
}

/** `impossible`: the disk is full or read-only. */
export type Claim = 'made' | 'taken' | 'impossible';

/** The claim survives a process that dies, so every later call passes; no state in memory is trusted. */
function createClaim(dir: string, name: string, content: string): Claim {
  const file = `${dir}/${name}`;
  // The folder does not exist before the first claim of a session.
  return createClaimFile(file, content) ?? (makeDir(dir) ? createClaimFile(file, content) : undefined) ?? 'impossible';
}

/** Undefined if the folder does not exist. */
function createClaimFile(file: string, content: string): Claim | undefined {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeSync(handle, content);
    } catch {
      // On a full disk a file can be created but not written, so the content goes into the name of a second file.
      createClaimFile(`${file}.${content}`, '');
    } finally {
      closeSync(handle);
    }
    return 'made';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    return code === 'EEXIST' ? 'taken' : 'impossible';
  }
}

function makeDir(dir: string): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** Session ids come from outside; hashed, they are safe as file names. */
function toSessionDir(claimsDir: string, { agent, sessionId }: Session): string {
  return `${claimsDir}/${hashText(`${agent}\n${sessionId}`)}`;
}
