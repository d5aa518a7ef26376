/** What stands behind an option or a variable whose name was meant to say that it is a secret. */
import { ONE_TIME } from './find-telling-value.ts';
import { isNearSecretName } from './is-near-secret-name.ts';
import { SECRET_VALUE } from './secret-names.ts';
import type { SecretRule } from './secret-rule.ts';

/** Without it no text is searched for options. */
export const OPTION_HINT = '--';
const OPTION = /(?<![\w-])--([A-Za-z][\w-]{2,47})(?=[ \t=])/g;
const VARIABLE = /(?<![\w-])([A-Z][A-Z0-9_]{4,47})(?==\S)/g;
/** Variables are set in commands; in a long text any name may stand before an equals sign. */
const COMMAND_CHARS = 4_000;

/** The rules for the names in this text: nearly always none. */
export function findNearSecrets(text: string, hasOption: boolean): readonly SecretRule[] {
  const options = hasOption ? [...text.matchAll(OPTION)].map(([, name = '']) => `--${name}`) : [];
  const variables = text.length > COMMAND_CHARS ? [] : [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
  return [...new Set([...options, ...variables])].filter(isNear).map(toRule);
}

const judged = new Map<string, boolean>();
const MAX_JUDGED = 5_000;

function isNear(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  if (judged.size >= MAX_JUDGED) judged.clear();
  const near = isNearSecretName(name.replace(/^--/, ''));
  judged.set(name, near);
  return near;
}

/** A name holds nothing that means something in a pattern. */
function toRule(name: string): SecretRule {
  const between = name.startsWith('--') ? '(?:[ \\t]{1,4}(?!-|id=|\\||&|;|>|<)|=)' : '=';
  return {
    kind: /otp$/i.test(name) ? ONE_TIME : 'credential',
    hints: [],
    pattern: new RegExp(`((?<![\\w-])${name}${between})(?:${SECRET_VALUE})`, 'g'),
  };
}
