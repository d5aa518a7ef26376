/** The error with all problems of the settings at once, each with its line of the file or its variable. */
import { UserError } from '../../base/errors.ts';

export interface SettingsProblem {
  /** The setting as written; empty for the file as a whole. */
  readonly key: string;
  /** 1-based line in the file. Absent for a problem that is not in it. */
  readonly line?: number;
  /** The environment variable that contains the value. */
  readonly variable?: string;
  readonly text: string;
  /** `unknown`: no such setting; `folder`: an entry that names no folder. */
  readonly kind: 'syntax' | 'unknown' | 'twice' | 'value' | 'folder';
  /** For an unknown key: the key that was probably meant. */
  readonly nearest?: string;
}

const NEXT_LINE = 'correct that line, or remove the file to get the defaults';
const NEXT_KEY = 'correct that key in the file (or its ONCEBITTEN_… variable), or remove it to get the default';
const NEXT_FOLDER = 'give the whole path, from / or ~/ on; everything in that folder is private, too';

export class SettingsError extends UserError {
  readonly problems: readonly SettingsProblem[];

  constructor(file: string, problems: readonly [SettingsProblem, ...SettingsProblem[]]) {
    const [first, ...others] = problems;
    const isAll = (kind: SettingsProblem['kind']) => problems.every((one) => one.kind === kind);
    super({
      subject: others.length === 0 ? toPlace(file, first) : file,
      reason:
        others.length === 0
          ? renderProblem(first)
          : `${problems.length} problems\n${problems.map((one) => `  ${renderPlaced(one)}`).join('\n')}`,
      next: isAll('syntax') ? NEXT_LINE : isAll('folder') ? NEXT_FOLDER : NEXT_KEY,
    });
    this.problems = problems;
  }
}

/** `line 3: minScore: must be …` */
export function renderPlaced(problem: SettingsProblem): string {
  const { line, variable } = problem;
  const place = variable ?? (line === undefined ? undefined : `line ${line}`);
  return `${place === undefined ? '' : `${place}: `}${renderProblem(problem)}`;
}

function renderProblem({ key, text }: SettingsProblem): string {
  return key === '' ? text : `${key}: ${text}`;
}

function toPlace(file: string, { line, variable }: SettingsProblem): string {
  return variable ?? (line === undefined ? file : `${file}:${line}`);
}
