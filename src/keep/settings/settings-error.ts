/** Everything that is wrong with the settings, at once, each with its line of the file or its variable. */
import { UserError } from '../../base/errors.ts';

export interface SettingsProblem {
  /** The setting as it was written; empty for the file as a whole. */
  readonly key: string;
  /** 1-based, in the file. Absent for what does not come from it. */
  readonly line?: number;
  /** The environment variable that it comes from. */
  readonly variable?: string;
  readonly text: string;
  /** `unknown`: no such setting, `folder`: an entry that names no folder. */
  readonly kind: 'syntax' | 'unknown' | 'twice' | 'value' | 'folder';
  /** Of a key that is unknown: what may have been meant. */
  readonly nearest?: string;
}

const NEXT_LINE = 'correct that line, or remove the file to get the defaults';
const NEXT_KEY = 'correct that key in the file (or its ONCEBITTEN_… variable), or remove it to get the default';
const NEXT_FOLDER = 'write the folder out, from / or ~/ on; everything in it is private too';

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
