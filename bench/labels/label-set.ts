/**
 * The sessions of other people's projects with complete labels: every failed call belongs to one labelled lesson or is
 * labelled as none. `learn` is for building. Of `check` only totals may be looked at, so no function of this folder
 * returns or prints a single label of it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listScanFiles, type ScanFile } from '../../src/loop/scan/scan-files.ts';

export const SETS = ['learn', 'check'] as const;
export type SetName = (typeof SETS)[number];

/** The sets that `--set` asks for: one, or both. Also `dev`, which has labels of another kind. */
export function listSets(args: readonly string[]): readonly SetName[] {
  const only = args.includes('--set') ? args[args.indexOf('--set') + 1] : undefined;
  if (only !== undefined && ![...SETS, 'dev'].includes(only))
    throw new Error(`there is no set "${only}": use dev, learn or check`);
  return SETS.filter((name) => only === undefined || only === name);
}

export interface LessonLabel {
  readonly id: string;
  /** One failed call pays for the lesson; `check` has no words. */
  readonly evidence: readonly Place[];
  /** The failing call, the fixing call and the error text show it. */
  readonly byPair: boolean;
}

/** A failed call, by the line of its transcript. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

export interface LabelSet {
  readonly name: SetName;
  readonly lessons: readonly LessonLabel[];
  /** Failed calls that teach nothing, with the labeller's reason. */
  readonly others: readonly (Place & { readonly reason: string })[];
  readonly files: readonly ScanFile[];
  readonly find: FindLabel;
}

/** The label of the failed call that begins at this line or at most three lines away. */
export type FindLabel = (place: Place) => FoundLabel | undefined;

interface FoundLabel {
  /** Undefined for a call that is labelled as no lesson. */
  readonly lesson: LessonLabel | undefined;
  /** Why it teaches nothing. */
  readonly reason?: string;
  readonly line: number;
}

const AGENTS = ['claude-code', 'codex', 'opencode'];
const MAX_LINES_AWAY = 3;
const HELP =
  'set ONCEBITTEN_MORE to the folder that corpora/more/restore.py made, and ONCEBITTEN_MORE_LABELS to the folder of its labels';

export function readLabelSet(name: SetName): LabelSet {
  const folder = process.env.ONCEBITTEN_MORE ?? '';
  const labels = process.env.ONCEBITTEN_MORE_LABELS || resolve(import.meta.dirname, '../../../shared/corpora/more');
  const file = join(labels, `labels-${name}.jsonl`);
  if (folder === '' || !existsSync(folder) || !existsSync(file))
    throw new Error(`there are no labelled sessions: ${HELP}`);
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
  const lessons = rows.filter((row) => row.kind === 'lesson');
  const others = rows.filter((row) => row.kind === 'not-lesson');
  const projects = new Set(
    [...lessons.flatMap((row) => row.evidence), ...others].map(({ file: one }) => toProject(one)),
  );
  const files = listScanFiles({ agent: AGENTS, path: folder, home: folder, env: {} });
  return {
    ...{ name, lessons, others },
    files: files.filter(({ path }) => projects.has(toProject(path))),
    find: makeFind(lessons, others),
  };
}

type Row =
  | (LessonLabel & { readonly kind: 'lesson' })
  | (Place & { readonly kind: 'not-lesson'; readonly reason: string });

/** Labels name a file from the agent's folder on. */
function toProject(path: string): string {
  return path.split('/').at(-2) ?? '';
}

function toKey(path: string): string {
  return path.split('/').slice(-2).join('/');
}

function makeFind(lessons: readonly LessonLabel[], others: LabelSet['others']): FindLabel {
  const all = [
    ...lessons.flatMap((lesson) => lesson.evidence.map((place) => ({ place, lesson, reason: undefined }))),
    ...others.map((place) => ({ place, lesson: undefined, reason: place.reason })),
  ];
  const byFile = Map.groupBy(all, ({ place }) => toKey(place.file));
  return ({ file, line }) => {
    const near = (byFile.get(toKey(file)) ?? [])
      .map((one) => ({ ...one, away: Math.abs(one.place.line - line) }))
      .filter(({ away }) => away <= MAX_LINES_AWAY)
      .sort((a, b) => a.away - b.away)[0];
    return near && { lesson: near.lesson, line: near.place.line, ...(near.reason && { reason: near.reason }) };
  };
}
