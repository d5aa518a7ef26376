/**
 * The manifest: active lessons compiled for the matcher, with the index that leads a call to the few lessons that may
 * match it. The manifest is one JSON document with the header on its first line and one lesson per line: people and
 * `jq` read it as JSON, while the matcher parses the header and only the lessons that the index returns. So neither the
 * hook's cold start nor a match slows down as lessons are added.
 */

import type { CommandEdit } from '../shell/command-edit.ts';
import type { SessionCondition, Triggers } from '../triggers/trigger.ts';
import type { DeliveryMode } from './lesson.ts';
import type { Settings } from './settings.ts';

export const MANIFEST_VERSION = 2;

export interface ManifestHeader {
  readonly $schema: string;
  readonly type: 'manifest';
  readonly version: number;
  readonly generatedAt: string;
  readonly settings: Settings;
  /** Project ids that a person joined into another: what a hook finds -> what lessons name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What lessons want to know of a session's past: it is noted as it happens. */
  readonly asks?: readonly SessionCondition[];
  /** What asks agents to write lessons down: told to new conversations, where the user wants it. */
  readonly protocol?: string;
  readonly protocolVersion?: number;
  /** Project id -> languages of its stack: their lessons weigh more there. */
  readonly stacks?: Readonly<Record<string, readonly string[]>>;
  /** What chance is drawn from: which sessions a lesson is withheld from. */
  readonly seed?: string;
  /** Project id, or the empty string for any other -> what its sessions hear at their start. */
  readonly openings?: Readonly<Record<string, OpeningLines>>;
  /** Tools with so many lessons that they are told as one, by `toSkillKey`. */
  readonly skills?: Readonly<Record<string, CompiledSkill>>;
  readonly count: number;
  /** What a call leads to. */
  readonly index: IndexNode;
  /** What is asked for by name (`toCriticalKey`, `BLOCK_KEY`) -> numbers of the lessons under it. */
  readonly keys: Readonly<Record<string, readonly number[]>>;
  /** Lesson n is bytes `offsets[n]` to `offsets[n + 1] - 2` after the header block: a comma and a newline follow it. */
  readonly offsets: readonly number[];
}

/** For the user, by way of the agent. */
export interface OpeningLines {
  /** Told once. */
  readonly learned?: string;
  /** Told at every start, until it is no more. */
  readonly waiting?: string;
}

/** Where CRITICAL lessons for a session's start are filed. `projectId`: the empty string for what is everyone's. */
export function toCriticalKey(projectId: string): string {
  return `critical:${projectId}`;
}

/** Where lessons that refuse calls are filed. */
export const BLOCK_KEY = 'block';

/** `projectId`: the empty string for what is everyone's. */
export function toSkillKey(projectId: string, tool: string): string {
  return `${projectId}:${tool}`;
}

export interface CompiledSkill {
  /** The first lines of what is said. */
  readonly head: string;
  /** Numbers of its lessons, the weightiest. */
  readonly lessons: readonly number[];
}

export interface KeywordForms {
  readonly action?: readonly string[];
  readonly context?: readonly string[];
  /** Of `triggers.unless.keywords`. */
  readonly except?: readonly string[];
}

export interface CompiledLesson {
  readonly id: string;
  readonly slug: string;
  readonly priority: number;
  readonly confidence: number;
  /** How far it may go by what is known of it; the user's `delivery.maxMode` is looked at when it speaks. */
  readonly mode: DeliveryMode;
  readonly projectId?: string;
  readonly sessionId?: string;
  /** Projects and sessions in which a nearer lesson speaks for it. */
  readonly notIn?: readonly string[];
  /** It came from outside and no person here confirmed it: it is shown only behind all lessons that are not claims. */
  readonly isClaim?: true;
  readonly triggers: Triggers;
  /** Globs of `triggers.paths`, compiled to regular expressions. */
  readonly pathRegexes?: readonly string[];
  /** The same of `triggers.unless.paths`. */
  readonly exceptRegexes?: readonly string[];
  /** The keywords of its triggers in all forms in which they may be said. */
  readonly forms?: KeywordForms;
  readonly signatureId?: string;
  /** Languages that it is about: its `lang:` tags. */
  readonly langs?: readonly string[];
  /** What its judged deliveries say: 0.5 and the share that stayed clean. Absent until five were judged. */
  readonly measured?: number;
  /** The agent evidently follows it: until then it is not said again. */
  readonly quietUntil?: string;
  /** The share of sessions that it is withheld from, to see what it changes. Absent: none. */
  readonly withheld?: number;
  /** Its `tool:` tag, where lessons about that tool are told together (`skills`). */
  readonly dense?: string;
  /** What corrects the call at hand. With the mode `rewrite` it is one word for another, and certain. */
  readonly edit?: CommandEdit;
  /** Why it speaks, in a few words. */
  readonly why?: string;
  readonly summary: string;
  /** The rendered lesson. */
  readonly text: string;
  /** What a session hears of it at its start. */
  readonly short?: string;
}

// The index of a manifest: a tree of what a call must have before a lesson can speak about it. A lesson stands
// wherever a call that it matches arrives; that it matches is for its triggers to say. So a call looks at few lessons,
// however many there are.

/**
 * `tool`. `program`; below it `sub`, its next word that is not an option, and `option` and `word`, any of its options and of its
 * other words. `name`, `folder`, `ext`: base name, one of the folders and extension of the file. The last three: something
 * that must stand in a text of the call, which for `shell` is the command line and each of its commands.
 */
export const DIMENSIONS = [
  ...(['project', 'session', 'tool', 'program', 'sub', 'option', 'word', 'name', 'folder', 'ext'] as const),
  ...(['shell', 'content', 'input'] as const),
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export type TextDimension = 'shell' | 'content' | 'input';

export type IndexBranch = Readonly<Record<string, IndexEntry>>;
/** Numbers of lessons alone are a node with nothing below. */
export type IndexEntry = IndexNode | readonly number[];

export interface IndexNode extends Readonly<Partial<Record<Dimension, IndexBranch>>> {
  /** Lessons of which nothing narrower is certain, or too few to be told apart. */
  readonly here?: readonly number[];
}

/** No regular expression looks farther into a text, and nothing is searched farther. */
export const MAX_TEXT_CHARS = 64 * 1024;

/** Longer words lead nowhere in the index, nor do shorter texts: they are in about every call. */
export const MAX_INDEX_CHARS = 200;
export const MIN_INDEX_TEXT_CHARS = 3;

export function toBounded(text: string): string {
  return text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
}
