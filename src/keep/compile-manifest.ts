/** Compiles lessons into the bytes of the manifest (its shape: `base/manifest.ts`). */
import type { Lesson } from '../base/lesson.ts';
import { toLessonKeys } from '../base/lesson-keys.ts';
import { type CompiledLesson, MANIFEST_VERSION, type ManifestHeader } from '../base/manifest.ts';
import { makeToProjectId, type ProjectAlias, type ToProjectId } from '../base/project-alias.ts';
import type { Settings } from '../base/settings.ts';
import type { SessionCondition } from '../base/trigger.ts';
import { decidePrecedence, type Precedence } from './decide-precedence.ts';
import { toAdvising } from './to-advising.ts';
import { toGlobRegex } from './to-glob-regex.ts';

export interface ManifestInput {
  readonly lessons: readonly Lesson[];
  readonly aliases?: readonly ProjectAlias[];
  readonly settings: Settings;
  readonly generatedAt: string;
  readonly render: (lesson: Lesson) => string;
  readonly protocol?: string;
}

/** Under it a lesson cannot reach the threshold of the score. */
const PROVISIONAL_PRIORITY = 4;

interface Speaking extends Precedence {
  /** The only session in which it speaks. */
  readonly sessionId?: string;
}

export function compileManifest(input: ManifestInput): Buffer {
  const { lessons, aliases = [], settings, generatedAt, render, protocol } = input;
  const toProjectId = makeToProjectId(aliases);
  const valid = lessons.filter((lesson) => isValidAt(lesson, generatedAt)).map(toAdvising);
  const all = valid.filter((lesson) => maySpeak(lesson, settings));
  const speaking: readonly Speaking[] = [
    ...decidePrecedence(aliases.length === 0 ? all : dropTwins(all, toProjectId), toProjectId),
    ...listProvisional(valid, settings, generatedAt),
  ];
  const lines: Buffer[] = [];
  const keys: Record<string, number[]> = Object.create(null);
  const offsets = [0];
  for (const [n, { lesson, ...where }] of speaking.entries()) {
    const end = n === speaking.length - 1 ? '\n\n' : ',\n';
    const compiled = { ...toCompiled(lesson, render(lesson), toProjectId), ...where };
    const line = Buffer.from(JSON.stringify(compiled) + end);
    lines.push(line);
    offsets.push((offsets[n] ?? 0) + line.length);
    for (const key of toLessonKeys(lesson.triggers)) {
      keys[key] ??= [];
      keys[key].push(n);
    }
  }
  const asks = listAsks(speaking.map(({ lesson }) => lesson));
  const header: ManifestHeader = {
    $schema: 'oncebitten/manifest.schema.json',
    type: 'manifest',
    version: MANIFEST_VERSION,
    generatedAt,
    // Matching opens no store, and the address of one may hold a password that came from the environment.
    settings: { ...settings, store: { url: '' } },
    ...(aliases.length === 0 ? {} : { aliases: toRecord(aliases) }),
    ...(asks.length === 0 ? {} : { asks }),
    ...(protocol === undefined ? {} : { protocol }),
    count: speaking.length,
    keys,
    offsets,
  };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header).slice(0, -1)},\n"lessons":[\n`),
    ...lines,
    Buffer.from(']}\n'),
  ]);
}

/** Whoever compiles again at these moments lets lessons begin and end. */
function isValidAt({ validity: { from, until } }: Lesson, now: string): boolean {
  return (from === undefined || from <= now) && (until === undefined || until > now);
}

function maySpeak(lesson: Lesson, settings: Settings): boolean {
  return lesson.status === 'active' && isTrusted(lesson, settings);
}

/** Drafts, for each session in which they speak all the same: as weighty as a lesson must be to speak at all. */
function listProvisional(lessons: readonly Lesson[], settings: Settings, now: string): readonly Speaking[] {
  return lessons.flatMap((lesson) => {
    const spoken = { ...lesson, priority: Math.max(lesson.priority, PROVISIONAL_PRIORITY) };
    if (lesson.status !== 'draft' || !isTrusted(spoken, settings)) return [];
    const open = (lesson.provisional ?? []).filter(({ until }) => until > now);
    return open.map(({ sessionId }) => ({ lesson: spoken, sessionId }));
  });
}

function isTrusted(lesson: Lesson, settings: Settings): boolean {
  return !lesson.needsReview && lesson.confidence >= settings.minConfidence && lesson.priority >= settings.minPriority;
}

/** What the speaking lessons want to know of a session, each once. */
function listAsks(lessons: readonly Lesson[]): readonly SessionCondition[] {
  const asks = lessons.flatMap(({ triggers }) => triggers.session?.unless ?? []);
  return [...new Map(asks.map((ask) => [JSON.stringify(ask), ask])).values()];
}

/** Projects that were joined may each have learned the same: it is said once. */
function dropTwins(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly Lesson[] {
  const seen = new Set<string>();
  return lessons.filter(({ scope, contentHash }) => {
    if (scope.kind !== 'project' || scope.id === undefined) return true;
    const key = `${toProjectId(scope.id)} ${contentHash}`;
    return !seen.has(key) && seen.add(key);
  });
}

function toRecord(aliases: readonly ProjectAlias[]): Readonly<Record<string, string>> {
  return Object.fromEntries(aliases.map(({ fromId, intoId }) => [fromId, intoId]));
}

function toCompiled(lesson: Lesson, text: string, toProjectId: ToProjectId): CompiledLesson {
  const { id, slug, priority, confidence, mode, triggers, summary, scope, signatureId } = lesson;
  return {
    id,
    slug,
    priority,
    confidence,
    mode,
    triggers,
    summary,
    text,
    ...(scope.kind === 'project' && scope.id !== undefined ? { projectId: toProjectId(scope.id) } : {}),
    ...(scope.kind === 'session' && scope.id !== undefined ? { sessionId: scope.id } : {}),
    ...(triggers.paths === undefined ? {} : { pathRegexes: triggers.paths.map(toGlobRegex) }),
    ...(signatureId === undefined ? {} : { signatureId }),
  };
}
