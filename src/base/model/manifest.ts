/**
 * The manifest: active lessons compiled for the matcher, with the index that leads a call to the few lessons that may
 * match it. The manifest is one JSON document with the header on its first line and one lesson per line: people and
 * `jq` read it as JSON, while the matcher parses the header and only the lessons that the index returns. So neither the
 * hook's cold start nor a match slows down as lessons are added.
 */

import type { CommandEdit } from '../shell/command-edit.ts';
import type { SessionCondition, Triggers } from '../triggers/trigger.ts';
import type { DeliveryMode, Lesson } from './lesson.ts';
import type { Settings } from './settings.ts';

export const MANIFEST_VERSION = 2;

export interface ManifestHeader {
  readonly $schema: string;
  readonly type: 'manifest';
  readonly version: number;
  readonly generatedAt: string;
  readonly settings: Settings;
  /** Joined project ids: the id that a hook finds -> the id that lessons name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The session conditions that lessons ask about. The hook notes them as they happen. */
  readonly asks?: readonly SessionCondition[];
  /** The text that asks new conversations for lesson reports, if the user wants it. */
  readonly protocol?: string;
  readonly protocolVersion?: number;
  /** Project id -> its languages. Lessons about these languages weigh more there. */
  readonly stacks?: Readonly<Record<string, readonly string[]>>;
  /** The seed of the random choice of sessions that lessons are withheld from. */
  readonly seed?: string;
  /** Project id, or the empty string for any other -> lines for the start of its sessions. */
  readonly openings?: Readonly<Record<string, OpeningLines>>;
  /** Tools with so many lessons that they are delivered as one text, by `toSkillKey`. */
  readonly skills?: Readonly<Record<string, CompiledSkill>>;
  readonly count: number;
  /** Leads a call to the lessons that may match it. */
  readonly index: IndexNode;
  /** Named lists (`toCriticalKey`, `BLOCK_KEY`) -> numbers of their lessons. */
  readonly keys: Readonly<Record<string, readonly number[]>>;
  /** Lesson n is bytes `offsets[n]` to `offsets[n + 1] - 2` after the header block: a comma and a newline follow it. */
  readonly offsets: readonly number[];
}

/** A lesson that the compiler lets fire, and where. */
export interface FiringLesson {
  readonly lesson: Lesson;
  /** Projects and sessions in which a nearer lesson says the same. */
  readonly notIn?: readonly string[];
  /** The only session in which the lesson fires. */
  readonly sessionId?: string;
}

/** Lines that the agent passes on to the user. */
export interface OpeningLines {
  /** Shown once. */
  readonly learned?: string;
  /** Shown at every start, as long as lessons wait. */
  readonly waiting?: string;
}

/** The key of the CRITICAL lessons for the start of a session. `projectId`: empty for lessons of every project. */
export function toCriticalKey(projectId: string): string {
  return `critical:${projectId}`;
}

/** The key of the lessons that block calls. */
export const BLOCK_KEY = 'block';

/** `projectId`: the empty string for lessons of every project. */
export function toSkillKey(projectId: string, tool: string): string {
  return `${projectId}:${tool}`;
}

export interface CompiledSkill {
  /** The first lines of the combined text. */
  readonly head: string;
  /** Numbers of its lessons, weightiest first. */
  readonly lessons: readonly number[];
}

export interface KeywordForms {
  readonly action?: readonly string[];
  readonly context?: readonly string[];
  /** The forms of `triggers.unless.keywords`. */
  readonly except?: readonly string[];
}

export interface CompiledLesson {
  readonly id: string;
  readonly slug: string;
  readonly priority: number;
  readonly confidence: number;
  /** The strongest mode that the evidence allows; the hook also applies the user's `delivery.maxMode`. */
  readonly mode: DeliveryMode;
  readonly projectId?: string;
  readonly sessionId?: string;
  /** Projects and sessions in which a nearer lesson replaces this one. */
  readonly notIn?: readonly string[];
  /** The lesson came from outside and no person here confirmed it, so it ranks below all other lessons. */
  readonly isQuotation?: true;
  /** A model proposed it and no person has confirmed it: it ranks below what calls have taught. */
  readonly isProposed?: true;
  readonly triggers: Triggers;
  /** Globs of `triggers.paths`, compiled to regular expressions. */
  readonly pathRegexes?: readonly string[];
  /** Globs of `triggers.unless.paths`, compiled likewise. */
  readonly exceptRegexes?: readonly string[];
  /** The keywords of its triggers in all their word forms. */
  readonly forms?: KeywordForms;
  readonly signatureId?: string;
  /** The languages of its `lang:` tags. */
  readonly langs?: readonly string[];
  /** A factor of the score: 0.5 plus the share of clean deliveries. Absent until five were judged. */
  readonly measured?: number;
  /** Agents follow the lesson, so it is not shown until then. */
  readonly quietUntil?: string;
  /** The share of sessions that the lesson is withheld from, to measure its effect. Absent: none. */
  readonly withheld?: number;
  /** Its `tool:` tag, if lessons about that tool are delivered as one text (`skills`). */
  readonly dense?: string;
  /** Corrects the call at hand. In mode `rewrite` it replaces one word and is certain. */
  readonly edit?: CommandEdit;
  /** Why the lesson fires, in a few words. */
  readonly why?: string;
  readonly summary: string;
  /** The rendered lesson. */
  readonly text: string;
  /** The short text for the start of a session. */
  readonly short?: string;
}

// The index of a manifest: a tree of properties that a call must have before a lesson can match it. A lesson is listed
// at every node that a matching call reaches; its triggers then decide. So a call checks few lessons, however many
// there are.

/**
 * `tool`. `program`; below it `sub` (its next word that is not an option), `option` and `word` (any option or other
 * word). `name`, `folder`, `ext`: base name, one of the folders and extension of the file. The last three: a text that
 * the call must contain; for `shell` that is the command line and each of its commands.
 */
export const DIMENSIONS = [
  ...(['project', 'session', 'tool', 'program', 'sub', 'option', 'word', 'name', 'folder', 'ext'] as const),
  ...(['shell', 'content', 'input'] as const),
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export type TextDimension = 'shell' | 'content' | 'input';

export type IndexBranch = Readonly<Record<string, IndexEntry>>;
/** A plain list of numbers is a node without branches. */
export type IndexEntry = IndexNode | readonly number[];

export interface IndexNode extends Readonly<Partial<Record<Dimension, IndexBranch>>> {
  /** Lessons that no further branch narrows down, or too few to separate. */
  readonly here?: readonly number[];
}

/** Regular expressions and searches look at no more of a text than this. */
export const MAX_TEXT_CHARS = 64 * 1024;

/** Longer words are not indexed, nor are shorter texts, which nearly every call contains. */
export const MAX_INDEX_CHARS = 200;
export const MIN_INDEX_TEXT_CHARS = 3;

export function toBounded(text: string): string {
  return text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
}
