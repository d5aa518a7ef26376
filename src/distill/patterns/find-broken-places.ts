/** Commands and files that next to never work, and files at which half the calls fail. */

import type { FailureCell, PlaceCount, PlaceKind, Recurrence } from '../../base/statistics/failures.ts';
import { findCommonest, isRecurring, makePattern, toSpreadText } from './make-pattern.ts';
import type { Pattern, PatternKind } from './pattern.ts';
import type { PatternContext } from './pattern-context.ts';

const ALWAYS_SHARE = 0.9;
const BREAKING_SHARE = 0.5;
/** Of a folder in which single files fail, the files are the pattern. */
const MIN_FOLDER_FILES = 3;

export function findBrokenPlaces(recurrence: Recurrence, context: PatternContext): readonly Pattern[] {
  const findCells = indexCells(recurrence.cells);
  const found = recurrence.places
    .map((place) => ({ place, cells: findCells(place) }))
    .filter(({ cells }) => cells.every(({ tool }) => context.isTracked(tool)))
    .filter(({ place, cells }) => place.failures >= place.calls * BREAKING_SHARE && isRecurring(cells))
    .filter(({ place, cells }) => place.kind !== 'folder' || countFiles(cells) >= MIN_FOLDER_FILES);
  const isAlways = ({ place, cells }: Found): boolean =>
    place.kind !== 'edited' && place.failures >= place.calls * ALWAYS_SHARE && !isSettled(place, cells, recurrence);
  const always = found.filter(isAlways);
  const breaking = found.filter((one) => one.place.kind !== 'intent' && !always.includes(one));
  return [
    ...always.map((one) => toPlacePattern('always-breaks', one, context)),
    ...breaking.map((one) => toPlacePattern('breaking-file', one, context)),
  ];
}

interface Found {
  readonly place: PlaceCount;
  readonly cells: readonly FailureCell[];
}

const TO_KEY: Readonly<Record<PlaceKind, (cell: FailureCell) => string | undefined>> = {
  intent: ({ intentKey, targetPath }) => (targetPath === undefined ? intentKey : undefined),
  path: ({ targetPath }) => targetPath,
  folder: ({ targetPath }) => targetPath?.slice(0, targetPath.lastIndexOf('/') + 1),
  edited: ({ editedPath }) => editedPath,
};

function indexCells(cells: readonly FailureCell[]): (place: PlaceCount) => readonly FailureCell[] {
  const byKind = new Map(
    Object.entries(TO_KEY).map(([kind, toKey]) => [
      kind,
      Map.groupBy(cells, (cell) => `${cell.projectId}\n${toKey(cell) ?? ''}`),
    ]),
  );
  return ({ kind, projectId, key }) => byKind.get(kind)?.get(`${projectId}\n${key}`) ?? [];
}

/** A line that did several things did this one, too. */
function isSettled(place: PlaceCount, cells: readonly FailureCell[], { settled }: Recurrence): boolean {
  const first = cells.map((cell) => cell.first).sort()[0] ?? '';
  return settled.some(({ projectId, key, at }) => projectId === place.projectId && key === place.key && at >= first);
}

function countFiles(cells: readonly FailureCell[]): number {
  return new Set(cells.map(({ targetPath }) => targetPath)).size;
}

function toPlacePattern(kind: PatternKind, { place, cells }: Found, context: PatternContext): Pattern {
  const what = `${toPlaceName(place, cells, context)} in ${context.toProjectName(place.projectId)}`;
  const summary = `${what} failed ${toShare(place)}, in ${toSpreadText(cells)}`;
  return { ...makePattern({ kind, what, summary, outOf: place.calls }, cells, context), frequency: place.failures };
}

function toPlaceName(place: PlaceCount, cells: readonly FailureCell[], context: PatternContext): string {
  const tool = findCommonest(cells, (cell) => cell.tool) ?? '';
  if (place.kind === 'intent') return renderIntent(place.key, tool);
  const path = context.toShownPath(place.projectId, place.key);
  if (place.kind === 'edited') return `checks after an edit of ${path}`;
  return `${tool} ${path}${place.kind === 'folder' ? '*' : ''}`;
}

function toShare({ failures, calls }: PlaceCount): string {
  return failures === calls ? `every time, ${calls} of ${calls}` : `${failures} of ${calls} times`;
}

const CHECKS: Readonly<Record<string, string>> = {
  test: 'tests',
  lint: 'linters',
  types: 'type checks',
  build: 'builds',
};

/** An intent key in words: see `base/shell/intent.ts`. */
function renderIntent(key: string, tool: string): string {
  if (tool !== 'shell') return tool;
  const [verb = '', ...words] = key.split(' ');
  const rest = words.join(' ');
  if (verb === 'check') return CHECKS[rest] ?? rest;
  return verb === 'ask' ? `${rest}, asked for help or version,` : rest || key;
}
