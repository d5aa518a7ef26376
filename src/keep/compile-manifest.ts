/** Compiles lessons into the bytes of the manifest (its shape: `base/manifest.ts`). */
import { type CommandEdit, toReplacementEdit } from '../base/command-edit.ts';
import { isUnconfirmed } from '../base/is-vouched-for.ts';
import type { Lesson } from '../base/lesson.ts';
import { BLOCK_KEY, type CompiledLesson, MANIFEST_VERSION, type ManifestHeader } from '../base/manifest.ts';
import { makeToProjectId, type ProjectAlias, type ToProjectId } from '../base/project-alias.ts';
import { redactLesson } from '../base/redact-lesson.ts';
import { renderWhy } from '../base/render-why.ts';
import type { Settings } from '../base/settings.ts';
import { listLangTags } from '../base/skill.ts';
import { type Route, toLessonRoutes } from '../base/to-lesson-routes.ts';
import type { SessionCondition } from '../base/trigger.ts';
import { toClaimName } from '../base/withhold-commands.ts';
import { compileOpenings } from './compile-openings.ts';
import { compileSkills, toDense } from './compile-skills.ts';
import { decideReach } from './decide-reach.ts';
import { fileCritical } from './file-critical.ts';
import { toKeywordForms } from './keyword-forms.ts';
import { listSkills } from './list-skills.ts';
import { listSpeaking, type Promoted } from './list-speaking.ts';
import { makeLessonIndex } from './make-lesson-index.ts';
import { toPathRegexes } from './to-path-regexes.ts';

export interface ManifestInput {
  readonly lessons: readonly Lesson[];
  readonly aliases?: readonly ProjectAlias[];
  /** Those that a hook can meet; all where it is left out. The header is parsed at every cold call. */
  readonly hookAliases?: readonly ProjectAlias[];
  /** What stands in files that agents always read. */
  readonly promoted?: readonly Promoted[];
  readonly settings: Settings;
  readonly generatedAt: string;
  readonly render: (lesson: Lesson) => string;
  /** For a session's start. */
  readonly renderShort?: (lesson: Lesson) => string;
  /** What deliveries have shown of a lesson. */
  readonly measure?: (lesson: Lesson) => Pick<CompiledLesson, 'measured' | 'quietUntil' | 'withheld'>;
  /** Project id -> languages. */
  readonly stacks?: Readonly<Record<string, readonly string[]>>;
  readonly protocol?: string;
  readonly protocolVersion?: number;
  /** Without one nothing is withheld. */
  readonly seed?: string;
}

export function compileManifest(input: ManifestInput): Buffer {
  const { aliases = [], promoted = [], settings, generatedAt, render, measure, stacks = {}, protocol } = input;
  const { hookAliases = aliases } = input;
  const lessons = input.lessons.map(redactLesson);
  const toProjectId = makeToProjectId(aliases);
  const speaking = listSpeaking({ lessons, aliases, settings, now: generatedAt, promoted });
  const critical = fileCritical(speaking, toProjectId);
  const told = new Set(Object.values(critical).flat());
  const openings = compileOpenings(lessons, toProjectId, generatedAt);
  const skills = listSkills(speaking, toProjectId, settings.skills.minLessons);
  const dense = new Set(skills.map(({ tool }) => tool));
  const lines: Buffer[] = [];
  const routes: (readonly Route[])[] = [];
  const offsets = [0];
  for (const [n, { lesson, ...where }] of speaking.entries()) {
    const end = n === speaking.length - 1 ? '\n\n' : ',\n';
    const compiled = {
      ...toCompiled(lesson, render(lesson), toProjectId),
      ...measure?.(lesson),
      ...where,
      ...(isUnconfirmed(lesson) ? {} : toDense(lesson, dense)),
      ...(told.has(n) && input.renderShort !== undefined ? { short: input.renderShort(lesson) } : {}),
    };
    const line = Buffer.from(JSON.stringify(compiled) + end);
    lines.push(line);
    offsets.push((offsets[n] ?? 0) + line.length);
    routes.push(toLessonRoutes(compiled));
  }
  const blocks = speaking.flatMap(({ lesson }, n) => (lesson.mode === 'block' ? [n] : []));
  const asks = listAsks(speaking.map(({ lesson }) => lesson));
  const header: ManifestHeader = {
    $schema: 'oncebitten/manifest.schema.json',
    type: 'manifest',
    version: MANIFEST_VERSION,
    generatedAt,
    // Matching opens no store, and the address of one may hold a password that came from the environment.
    settings: { ...settings, store: { url: '' } },
    ...(hookAliases.length === 0 ? {} : { aliases: toRecord(hookAliases) }),
    ...(asks.length === 0 ? {} : { asks }),
    ...(protocol === undefined ? {} : { protocol, protocolVersion: input.protocolVersion ?? 0 }),
    ...(Object.keys(stacks).length === 0 ? {} : { stacks }),
    ...(skills.length === 0 ? {} : { skills: compileSkills(skills, speaking) }),
    ...(input.seed === undefined ? {} : { seed: input.seed }),
    ...(Object.keys(openings).length === 0 ? {} : { openings }),
    count: speaking.length,
    keys: blocks.length === 0 ? critical : { ...critical, [BLOCK_KEY]: blocks },
    index: makeLessonIndex(routes),
    offsets,
  };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header).slice(0, -1)},\n"lessons":[\n`),
    ...lines,
    Buffer.from(']}\n'),
  ]);
}

/** What the speaking lessons want to know of a session, each once. */
function listAsks(lessons: readonly Lesson[]): readonly SessionCondition[] {
  const asks = lessons.flatMap(({ triggers }) => triggers.session?.unless ?? []);
  return [...new Map(asks.map((ask) => [JSON.stringify(ask), ask])).values()];
}

function toRecord(aliases: readonly ProjectAlias[]): Readonly<Record<string, string>> {
  return Object.fromEntries(aliases.map(({ fromId, intoId }) => [fromId, intoId]));
}

function toCompiled(lesson: Lesson, text: string, toProjectId: ToProjectId): CompiledLesson {
  const { id, slug, priority, confidence, triggers, summary, scope, signatureId } = lesson;
  const edit = toCompiledEdit(lesson);
  // What nobody here confirmed must not get above what it was held under.
  const isClaim = isUnconfirmed(lesson);
  const langs = isClaim ? [] : listLangTags(lesson);
  return {
    id,
    slug: isClaim ? toClaimName(slug, id) : slug,
    priority,
    confidence,
    mode: decideReach(lesson),
    triggers,
    why: renderWhy(triggers),
    // The summary is said where the text has no room: a claim stays a claim there.
    summary: isClaim ? text.replace(/\s*\n\s*/g, ' ') : summary,
    text,
    ...(scope.kind === 'project' && scope.id !== undefined ? { projectId: toProjectId(scope.id) } : {}),
    ...(scope.kind === 'session' && scope.id !== undefined ? { sessionId: scope.id } : {}),
    ...toPathRegexes(triggers),
    ...toKeywordForms(triggers),
    ...(signatureId === undefined ? {} : { signatureId }),
    ...(isClaim ? { isClaim } : {}),
    ...(edit === undefined || isClaim ? {} : { edit }),
    ...(langs.length === 0 ? {} : { langs }),
  };
}

/** What calls have proved to be one word for another is given to a call before it runs: nothing else may stand beside it. */
function toCompiledEdit({ replacement, edit, origin }: Lesson): CommandEdit | undefined {
  if (replacement !== undefined) return toReplacementEdit(replacement);
  if (edit === undefined || origin.trust === 'foreign') return undefined;
  const { narrowed: _, ...compiled } = edit;
  return compiled;
}
