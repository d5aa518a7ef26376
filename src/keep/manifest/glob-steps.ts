/**
 * What is certain of the paths that a glob matches (`keep/manifest/compiled-triggers.ts` says which do): the base name, or a folder and
 * the extension. One list for each way to read its braces; an empty list where nothing is certain.
 */
import { MAX_INDEX_CHARS } from '../../base/model/manifest.ts';

interface GlobStep {
  readonly by: 'name' | 'folder' | 'ext';
  readonly value: string;
}

const MAX_READINGS = 16;
const BRACES = /\{([^{}*?[\]/]*)\}/g;
const SPECIAL = /[*?[\]{}]/;
/** Plain text up to the end, with a dot in it. */
const EXTENSION = /\.([^.*?[\]{}]*)$/;

export function toGlobSteps(glob: string): readonly (readonly GlobStep[])[] {
  const readings = expand(glob.replace(/^(?:\.\/)*(?:~\/)?/, ''));
  return readings === undefined ? [[]] : readings.map(toSteps);
}

function toSteps(glob: string): readonly GlobStep[] {
  const parts = glob.split('/');
  // `a**/b` is also `ab`: its slash may be missing.
  if (parts.some((part) => part !== '**' && part.includes('**'))) return [];
  const last = parts.pop() ?? '';
  if (!SPECIAL.test(last)) return toFew({ by: 'name', value: last });
  const folder = parts.filter((part) => !SPECIAL.test(part)).toSorted((a, b) => b.length - a.length)[0];
  const ext = EXTENSION.exec(last)?.[1];
  return [
    ...(folder === undefined || folder === '' ? [] : toFew({ by: 'folder', value: folder })),
    ...(ext === undefined ? [] : toFew({ by: 'ext', value: ext })),
  ];
}

function toFew(step: GlobStep): readonly GlobStep[] {
  return step.value.length > MAX_INDEX_CHARS ? [] : [step];
}

/** Undefined where there are braces with more than plain words in them, or too many ways to read them. */
function expand(glob: string): readonly string[] | undefined {
  let readings: readonly string[] = [''];
  let at = 0;
  for (const { 0: braces, 1: inner = '', index } of glob.matchAll(BRACES)) {
    const before = glob.slice(at, index);
    const options = inner.split(',');
    if (readings.length * options.length > MAX_READINGS) return undefined;
    readings = readings.flatMap((one) => options.map((option) => one + before + option));
    at = index + braces.length;
  }
  // Braces in braces, in brackets or alone are not what they seem.
  return /[{}]/.test(glob.replaceAll(BRACES, '')) ? undefined : readings.map((one) => one + glob.slice(at));
}
