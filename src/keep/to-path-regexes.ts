/** The globs of a lesson's triggers as the regular expressions that the matcher runs. */
import type { CompiledLesson } from '../base/manifest.ts';
import type { Triggers } from '../base/trigger.ts';
import { toGlobRegex } from './to-glob-regex.ts';

export function toPathRegexes({ paths, unless }: Triggers): Pick<CompiledLesson, 'pathRegexes' | 'exceptRegexes'> {
  return {
    ...(paths === undefined ? {} : { pathRegexes: paths.map(toGlobRegex) }),
    ...(unless?.paths === undefined ? {} : { exceptRegexes: unless.paths.map(toGlobRegex) }),
  };
}
