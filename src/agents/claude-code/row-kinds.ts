/**
 * What kind of row a line is, from its ends: most of a transcript is thinking, progress and copies of files, not worth
 * parsing. Nothing is passed over whose kind we do not know: then the format has grown, and that is told.
 */

/** Known, and nothing in them is of use. Those of the last line begin many names. */
const UNUSED: ReadonlySet<string> = new Set([
  ...['progress', 'summary', 'custom-title', 'ai-title', 'last-prompt', 'tag', 'queue-operation', 'pr-link'],
  ...['file-history-snapshot', 'file-history-delta', 'attribution-snapshot', 'content-replacement'],
  ...['mode', 'permission-mode', 'memory-mode', 'dev-mods', 'tools-used', 'cost-state', 'worktree-state'],
  ...['agent-name', 'agent-color', 'agent-setting', 'session-owner', 'bridge-session', 'frame-link'],
  ...['ended-by-model', 'continued-in', 'relocated', 'derived-from', 'fork-context-ref', 'observer-ref'],
  ...['history-suppression', 'isolation-latch', 'atis-latch', 'resume-head-vouch'],
]);
const UNUSED_NAMES = /^(?:data-flow-|api-request|artifact-)/;

/** The kinds of which some rows are of use, and the words that stand in each of those. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['user', ['']],
  ['assistant', ['"type":"tool_use"', '"type":"text"']],
  ['system', ['"compact_boundary"', '"hookErrors":["']],
  ['attachment', ['"queued_command"', '"type":"hook_']],
]);

const HEAD_CHARS = 1000;
const TAIL_CHARS = 600;
/** The kind stands before everything long in a row, or right behind it: builds differ. */
const FIRST = /"type":"([^"]{1,60})"|"(?:(attachment)|message|data)":\{/;
const LAST = /"type":"([^"]{1,60})","uuid":"/;

export function isKnownKind(kind: string): boolean {
  return WORDS.has(kind) || UNUSED.has(kind) || UNUSED_NAMES.test(kind);
}

/** May the line tell something? In doubt it may. */
export function mayTell(text: string): boolean {
  const kind = findKind(text.slice(0, HEAD_CHARS), () => text.slice(-TAIL_CHARS));
  return isOfUse(kind, (word) => text.includes(word));
}

/** The same of the bytes of a long line, before they are decoded. Kinds and words are ASCII. */
export function mayTellBytes(line: Buffer): boolean {
  const kind = findKind(line.toString('latin1', 0, HEAD_CHARS), () => toTail(line));
  return isOfUse(kind, (word) => word === '' || line.includes(word));
}

function toTail(line: Buffer): string {
  return line.toString('latin1', Math.max(0, line.length - TAIL_CHARS));
}

function isOfUse(kind: string | undefined, holds: (word: string) => boolean): boolean {
  if (kind === undefined) return true;
  const words = WORDS.get(kind);
  return words === undefined ? !isKnownKind(kind) : words.some(holds);
}

function findKind(head: string, toTail: () => string): string | undefined {
  const first = FIRST.exec(head);
  return first === null ? undefined : (first[1] ?? first[2] ?? LAST.exec(toTail())?.[1]);
}
