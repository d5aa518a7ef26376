/** Why an agent's own tool refused to change a file, from its words. Texts of the file follow them: only the start counts. */
import type { LiveCall } from '../../base/model/call.ts';

/**
 * `unread`: the file was not read in this session. `outdated`: it changed since. `ambiguous`: the old text stands in it
 * more than once. `unmatched`: it does not stand there.
 */
export type EditRefusal = 'unread' | 'outdated' | 'ambiguous' | 'unmatched';

interface Row {
  readonly refusal: EditRefusal;
  readonly says: RegExp;
  /** Who says this checks before hooks are asked: at such an edit no lesson can speak. */
  readonly isUnheard?: true;
}

const ROWS: readonly Row[] = [
  { refusal: 'unread', says: /^File has not been read yet\b/, isUnheard: true },
  { refusal: 'unread', says: /^You must read (?:the )?file\b[^\n]{0,400}\bbefore (?:overwriting|editing|writing)/i },
  { refusal: 'unread', says: /^[^\n]{0,400}\bhas not been read in this session\b/i },
  { refusal: 'outdated', says: /^File has been (?:unexpectedly )?modified since\b/, isUnheard: true },
  { refusal: 'outdated', says: /^File [^\n]{1,400} has been modified since it was last read\b/i },
  { refusal: 'ambiguous', says: /^Found \d+ matches of the string to replace\b/, isUnheard: true },
  { refusal: 'ambiguous', says: /^Found (?:multiple matches for|[1-9]\d* occurrences of)\b/i },
  { refusal: 'ambiguous', says: /^(?:Failed to edit, )?Expected \d+ occurrences? but found [1-9]/i },
  { refusal: 'ambiguous', says: /^(?:Multiple matches found\b|old_?str(?:ing)? appears multiple times)/i },
  { refusal: 'unmatched', says: /^String to replace not found in file\b/, isUnheard: true },
  { refusal: 'unmatched', says: /^(?:Could not find|No match found for) (?:the exact text|old_?str(?:ing)?)\b/i },
  { refusal: 'unmatched', says: /^old_?str(?:ing)? not found\b/i },
  { refusal: 'unmatched', says: /^Failed to edit, (?:0 occurrences found|could not find the string)\b/i },
  { refusal: 'unmatched', says: /^apply_patch verification failed: Failed to find (?:expected lines|context)\b/ },
];

export function findEditRefusal({ tool, outcome, output }: LiveCall): Pick<Row, 'refusal' | 'isUnheard'> | undefined {
  if (outcome !== 'failure' || (tool !== 'edit' && tool !== 'write') || output === undefined) return undefined;
  const words = output.trimStart().replace(/^Error: /, '');
  return ROWS.find(({ says }) => says.test(words));
}
