/**
 * Compiles path globs and keywords of triggers into the forms that the matcher uses: linear-time regular expressions,
 * and inflected keywords. This happens when the manifest is compiled, because hooks have no time for it.
 */

import { homedir } from 'node:os';
import type { CompiledLesson } from '../../base/model/manifest.ts';
import { dropAbsent } from '../../base/records.ts';
import type { CallView } from '../../base/triggers/call-view.ts';
import { type CheckOptions, checkTriggers, type TriggerCheck } from '../../base/triggers/check-triggers.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';

type CompiledTriggers = Pick<CompiledLesson, 'pathRegexes' | 'exceptRegexes' | 'forms'>;

/** A cache, because a lesson is tested on thousands of calls. */
const compiled = new WeakMap<Triggers, CompiledTriggers>();

/** Decides whether a lesson with these triggers fires on a call, exactly as it would from the manifest. */
export function judgeTriggers(triggers: Triggers, call: CallView, options?: CheckOptions): TriggerCheck {
  const known = compiled.get(triggers) ?? compileTriggers(triggers);
  compiled.set(triggers, known);
  return checkTriggers(triggers, known, call, options);
}

export function compileTriggers(triggers: Triggers): CompiledTriggers {
  return { ...toPathRegexes(triggers), ...toKeywordForms(triggers) };
}

function toPathRegexes({ paths, unless }: Triggers): Pick<CompiledLesson, 'pathRegexes' | 'exceptRegexes'> {
  return dropAbsent({ pathRegexes: paths?.map(toGlobRegex), exceptRegexes: unless?.paths?.map(toGlobRegex) });
}

/**
 * Converts a path glob (`**`, `*`, `?`, `[…]`, `{a,b}`) to the source of a linear-time regular expression. Written by
 * hand, because libraries emit look-aheads, which V8's linear engine rejects, and a lesson's pattern must never stall a
 * call. A glob without a leading `/` matches at any depth, because paths in calls are absolute and globs are written
 * for a repository, with or without leading `./`. `~/` is the home folder of the compiling user.
 */
export function toGlobRegex(glob: string): string {
  const [, prefix = '', rest = ''] = /^((?:\.\/)*(?:~\/)?)(.*)$/s.exec(glob) ?? [];
  return `${toAnchor(prefix, rest)}${rest.replace(TOKEN, toRegex)}$`;
}

function toAnchor(prefix: string, rest: string): string {
  if (prefix.endsWith('~/')) return `^${homedir().replaceAll('\\', '/').replace(SPECIAL, '\\$&')}/`;
  return rest.startsWith('/') || rest.startsWith('**/') ? '^' : '^(?:.*/)?';
}

const SPECIAL = /[\\^$.|+()[\]{}*?]/g;
const TOKEN = /\*\*\/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|[\\^$.|+()[\]{}]/g;

function toRegex(token: string): string {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 1 && token.startsWith('[')) return token.replace('[!', '[^').replaceAll('\\', '\\\\');
  if (token.length > 1 && token.startsWith('{')) {
    const options = token.slice(1, -1).split(',');
    return `(?:${options.map((option) => option.replace(TOKEN, toRegex)).join('|')})`;
  }
  return `\\${token}`;
}

/**
 * The word forms of a keyword: `deploy` is also `deploys`, `deployed`, `deploying`. By the rules of English spelling
 * alone, so some forms do not exist, and irregular ones (`built`) are missing.
 */
function toKeywordForms({ actionKeywords, contextKeywords, unless }: Triggers): Pick<CompiledLesson, 'forms'> {
  const forms = {
    ...(actionKeywords === undefined ? {} : { action: listForms(actionKeywords) }),
    ...(contextKeywords === undefined ? {} : { context: listForms(contextKeywords) }),
    ...(unless?.keywords === undefined ? {} : { except: listForms(unless.keywords) }),
  };
  return Object.keys(forms).length === 0 ? {} : { forms };
}

export function listForms(keywords: readonly string[]): readonly string[] {
  return [...new Set(keywords.flatMap((keyword) => [keyword, ...inflect(keyword)]))];
}

const WORD = /^[a-z]{3,}$/;

/** In a phrase, the first or the last word is inflected: "bumped version", "force pushed". */
function inflect(keyword: string): readonly string[] {
  const words = keyword.trim().toLowerCase().split(/\s+/);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length === 1) return inflectWord(first);
  const [head, tail] = [words.slice(0, -1).join(' '), words.slice(1).join(' ')];
  return [
    ...inflectWord(first).map((form) => `${form} ${tail}`),
    ...inflectWord(last).map((form) => `${head} ${form}`),
  ];
}

function inflectWord(word: string): readonly string[] {
  if (!WORD.test(word)) return [];
  const stem = word.slice(0, -1);
  if (/[^aeiou]y$/.test(word)) return [`${stem}ies`, `${stem}ied`, `${word}ing`];
  if (/[^e]e$/.test(word)) return [`${word}s`, `${word}d`, `${stem}ing`];
  if (word.endsWith('ee')) return [`${word}s`, `${word}d`, `${word}ing`];
  if (/(?:s|x|z|ch|sh)$/.test(word)) return [`${word}es`, `${word}ed`, `${word}ing`];
  const regular = [`${word}s`, `${word}ed`, `${word}ing`];
  // `ship`: shipped. `edit`: edited. Spelling alone does not decide, so both forms are included.
  const last = word.at(-1) ?? '';
  return /[^aeiou][aeiou][^aeiouwxy]$/.test(word) ? [...regular, `${word}${last}ed`, `${word}${last}ing`] : regular;
}
