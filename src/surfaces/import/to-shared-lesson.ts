/** A lesson as it may leave this machine: no paths of it, no sessions of it, nothing that we know better than the file. */
import type { Evidence, Lesson } from '../../base/lesson.ts';
import type { Triggers } from '../../base/trigger.ts';
import type { ExportedLesson } from '../../keep/lessons-document-schema.ts';
import { hideHomes } from './hide-homes.ts';
import { toWords, withWords } from './lesson-words.ts';
import { mapTextsNow } from './map-texts.ts';

export interface SharingWish {
  /** Where in which transcript, and words with the folders they name. */
  readonly withEvidence: boolean;
}

export function toSharedLesson(lesson: Lesson, { withEvidence }: SharingWish): ExportedLesson {
  const { provisional, contentHash, file, measure, ...whole } = lesson;
  if (withEvidence) return whole;
  const shown = withWords(whole, mapTextsNow(toWords(whole), hideHomes));
  return { ...shown, evidence: shown.evidence.map(dropPlace), triggers: hidePaths(shown.triggers) };
}

function dropPlace({ file: _, lines: __, ...evidence }: Evidence): Evidence {
  return evidence;
}

/** What is under somebody's home is elsewhere on another machine: its end is the same. */
function hidePaths(triggers: Triggers): Triggers {
  const { paths, unless } = triggers;
  const hide = (path: string): string => hideHomes(path).replace(/^~[^/]*\//, '**/');
  return {
    ...triggers,
    ...(paths === undefined ? {} : { paths: paths.map(hide) }),
    ...(unless?.paths === undefined ? {} : { unless: { ...unless, paths: unless.paths.map(hide) } }),
  };
}
