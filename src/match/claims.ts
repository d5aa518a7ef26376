/**
 * Claims that let a lesson fire once per context, and pause a call once per session and shape of call: only the process
 * that makes the claim may deliver the lesson or refuse the call. A claim is a file that is created exclusively, so the
 * file system decides among parallel calls and processes, with or without the daemon. A forked session inherits the
 * claims of its parent through the trailers in its transcript.
 */

import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { groupBy } from '../base/group-by.ts';
import { hashText } from '../base/ids.ts';
import type { CompiledLesson } from '../base/model/manifest.ts';
import { isOption, type SimpleCommand, toPositionals } from '../base/shell/simple-command.ts';
import type { CallView } from '../base/triggers/call-view.ts';
import type { Triggers } from '../base/triggers/trigger.ts';
import type { TrailerEntry } from './trailer.ts';

/** The mark of a session that goes on with what another was told. */
const HEIR = 'heir';

export interface Claimant {
  readonly agent: string;
  readonly sessionId: string;
  /** The empty string is the main conversation. */
  readonly contextId: string;
}

type Claimed = Pick<CompiledLesson, 'id' | 'priority'>;

/** True when this caller is the first. False when another was, or when a claim cannot be made: silence over nagging. */
export function claimLesson(claimsDir: string, claimant: Claimant, lesson: Claimed): boolean {
  // Compaction asks for the priority.
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
 * Lessons of this priority or more may speak again: the agent has forgotten them (`clear`, compaction). Of one
 * conversation: its sub-agents have contexts of their own.
 */
export function dropClaims(claimsDir: string, claimant: Claimant, minPriority: number): void {
  const dir = toSessionDir(claimsDir, claimant);
  const own = hashText(claimant.contextId);
  for (const name of listNames(dir)) {
    // Where the disk was full, the priority stands behind the name of the claim.
    const [claim = '', priority] = name.split('.');
    // A call that was held back once in a session is not held back again.
    if (!claim.startsWith(`${own}-`) && claim !== HEIR) continue;
    try {
      if (!(Number(priority ?? readFileSync(`${dir}/${name}`, 'utf8')) >= minPriority)) continue;
      for (const file of [name, claim]) rmSync(`${dir}/${file}`, { force: true });
    } catch {
      // Another process dropped it first, or it is none of ours: the claims behind it are dropped all the same.
    }
  }
}

/** Everything about a session, as if it had never been. */
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

/**
 * A lesson holds a call back once per session and shape of call, whatever happens to us in between: only who has made
 * the claim may refuse, and whoever finds it lets the call pass.
 */
const PAUSE_PREFIX = 'pause-';

/** Whatever the call: for a pause that somebody else's claim stands for. */
export const ANY_SHAPE = '';

/** Whichever lesson: of a call that was refused. */
export const ANY_LESSON = '';

interface Pause {
  readonly agent: string;
  readonly sessionId: string;
  readonly lessonId: string;
  /** See `toCallShape`. */
  readonly shape: string;
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
 * What makes a call the same call again, for one lesson: program, sub-command and the names of its options; or the tool
 * and the file. Values differ from try to try, and so does what else stands in the line.
 */
export function toCallShape({ tool, commands, path = '' }: ShapedCall, { programs = [] }: Triggers): string {
  if (commands.length === 0) return `${tool} ${path}`;
  const meant = commands.flatMap((command) => {
    // As many words as the lesson takes for the sub-command: what follows them is a value.
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

/** Of the highest priority: what makes the agent forget lessons ends it. */
const HEIR_PRIORITY = '10';

type Session = Omit<Claimant, 'contextId'>;
type Inherited = Pick<CompiledLesson, 'id' | 'slug' | 'priority'>;

/**
 * A fork goes on with all that was told before it, under an id of its own, and no agent says whose it was. Its
 * transcript does, by the trailers of what was said; but it is written after the session began. So the session is
 * marked, and asked for at the first call where a lesson would speak: a model takes longer to get there than the
 * agent to write. A session that is resumed when its claims are gone is the same. With a scripted model that answers
 * at once the rows were not there yet in 1 of 15 forks, and the lesson came once more. Left so: no real model is that
 * fast, and waiting for the file would keep every other call of the daemon waiting. A session that has claims knows
 * what it was told.
 */
export function markHeir(claimsDir: string, session: Session): void {
  const dir = toSessionDir(claimsDir, session);
  if (!existsSync(dir)) createClaim(dir, HEIR, HEIR_PRIORITY);
}

/** For the main conversation: sub-agents begin anew. `readTold` is asked only where it can matter. */
export function inheritClaims(
  claimsDir: string,
  session: Session,
  lessons: readonly Inherited[],
  readTold: () => readonly TrailerEntry[],
): void {
  if (!existsSync(`${toSessionDir(claimsDir, session)}/${HEIR}`)) return;
  const claimant = { ...session, contextId: '' };
  const open = lessons.filter((lesson) => !hasClaimed(claimsDir, claimant, lesson));
  if (open.length === 0) return;
  const told = groupBy(readTold(), ({ lesson }) => lesson);
  for (const lesson of open) {
    const before = told.get(lesson.slug);
    if (before === undefined) continue;
    claimLesson(claimsDir, claimant, lesson);
    // The shape of the call that was held back is not known any more.
    if (before.some(({ mode }) => mode === 'pause'))
      claimPause(claimsDir, { ...session, lessonId: lesson.id, shape: ANY_SHAPE });
  }
}

/** An exclusive claim by name: the first caller gets true, everybody after it, in any process, false. */
export function claimName(claimsDir: string, name: string): boolean {
  try {
    mkdirSync(claimsDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(`${claimsDir}/${name}`, 'wx', 0o600));
    return true;
  } catch {
    return false;
  }
}

/** `impossible`: a full disk, one that cannot be written. */
export type Claim = 'made' | 'taken' | 'impossible';

/**
 * A claim is a file that is created exclusively: the file system decides among parallel calls and processes, with and
 * without the daemon, and a process that dies leaves it behind. No state in memory is trusted.
 */
function createClaim(dir: string, name: string, content: string): Claim {
  const file = `${dir}/${name}`;
  // The folder is missing at the first claim of a session.
  return createClaimFile(file, content) ?? (makeDir(dir) ? createClaimFile(file, content) : undefined) ?? 'impossible';
}

/** Undefined when the folder is missing. */
function createClaimFile(file: string, content: string): Claim | undefined {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeSync(handle, content);
    } catch {
      // A full disk makes files without content: the claim is the file, and another file's name has the content.
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

/** Session ids come from outside: hashed, they are safe as file names. */
function toSessionDir(claimsDir: string, { agent, sessionId }: Session): string {
  return `${claimsDir}/${hashText(`${agent}\n${sessionId}`)}`;
}
