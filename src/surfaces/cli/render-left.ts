/** What is still wrong with the settings file after a change. */
import { renderPlaced, type SettingsProblem } from '../../keep/settings-error.ts';

export function renderLeft(problems: readonly SettingsProblem[]): readonly string[] {
  return problems.map((problem) => `Still wrong: ${renderPlaced(problem)}`);
}
