/** A lesson in parts. Which parts there are says the lesson's type; absent ones are not known. */

export type LessonBody = ChecklistBody | PatternBody | WarningBody | RequirementBody;

export interface ChecklistBody {
  readonly title: string;
  readonly items: readonly string[];
  /** `ordered`: one after the other. */
  readonly format?: 'ordered' | 'unordered';
}

export interface PatternBody {
  readonly situation: string;
  readonly action: string;
  readonly rationale?: string;
  readonly example?: string;
}

export interface WarningBody {
  readonly risk: string;
  readonly severity?: string;
  readonly detection?: string;
  readonly mitigation?: string;
}

export interface RequirementBody {
  readonly constraint: string;
  readonly rationale?: string;
  readonly validation?: string;
}
