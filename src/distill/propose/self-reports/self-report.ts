/** A lesson as an agent wrote it down. Its words alone prove nothing: a web page may have dictated them. */

import type { ReportForm } from '../../../base/model/finding.ts';
import type { LessonBody, LessonType } from '../../../base/model/lesson.ts';
import type { Narrowing } from './to-narrowing.ts';

export interface SelfReport {
  readonly form: ReportForm;
  /** 1-based, in the text that was said. */
  readonly line: number;
  /** Tells it from every other: a hash of the block. */
  readonly id: string;
  /** As the agent calls them; empty where it does not say. */
  readonly tools: readonly string[];
  /** The call it is about: a command, a file, or prose. */
  readonly trigger: string;
  readonly paths: readonly string[];
  readonly mistake: string;
  readonly fix: string;
  readonly tags: readonly string[];
  readonly type?: LessonType;
  /** What it calls the lesson. */
  readonly label?: string;
  /** How weighty it says that this is, from 1 to 10. */
  readonly priority?: number;
  readonly body?: LessonBody;
  /** When else it is meant. */
  readonly narrowing?: Narrowing;
  readonly shown?: Shown;
}

/** A block that somebody meant as a report and that cannot be read as one. */
export interface MalformedReport {
  readonly form: ReportForm;
  readonly line: number;
  readonly id: string;
  /** In words of ours. */
  readonly malformed: string;
  readonly shown?: Shown;
}

/** How a block is set off from what the agent says itself: in a fence, where agents put reports too, or as a quotation. */
export type Shown = 'fenced' | 'quoted';

/** What one block is; nothing for one that only shows how a report looks. */
export type ParsedReport = SelfReport | MalformedReport;

export function isMalformed(report: ParsedReport): report is MalformedReport {
  return 'malformed' in report;
}
