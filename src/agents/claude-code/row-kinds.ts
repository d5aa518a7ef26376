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

/**
 * The kinds of which some rows are of use, and what stands in each of those. A quote that no backslash stands before is none
 * of a text. Of the frequent kinds the first character is rare in texts: it is what a search looks for.
 */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['user', ['']],
  ['assistant', [':"tool_use"', ':"text"']],
  ['system', ['"compact_boundary"', 'Errors":["']],
  ['attachment', ['"queued_command"', ':"hook_']],
]);
const WORD_BYTES: ReadonlyMap<string, readonly Buffer[]> = new Map(
  [...WORDS].map(([kind, words]) => [kind, words.map((word) => Buffer.from(word))]),
);

const HEAD_CHARS = 1000;
const TAIL_CHARS = 600;
/** The kind stands before everything long in a row, or right behind it: builds differ. */
const FIRST = /"type":"([^"]{1,60})"|"(?:(attachment)|message|data)":\{/;
const LAST = /"type":"([^"]{1,60})","uuid":"/;

export function isKnownKind(kind: string): boolean {
  return WORDS.has(kind) || UNUSED.has(kind) || UNUSED_NAMES.test(kind);
}

/** May the line tell something? In doubt it may. */
export function mayMatter(text: string): boolean {
  const kind = toKind(text.slice(0, HEAD_CHARS), () => text.slice(-TAIL_CHARS));
  return WORDS.get(kind)?.some((word) => text.includes(word)) ?? !isKnownKind(kind);
}

/** The same of the bytes of a line, before they are decoded. */
export function mayBytesMatter(line: Buffer, kind: string): boolean {
  return WORD_BYTES.get(kind)?.some((word) => line.indexOf(word) >= 0) ?? !isKnownKind(kind);
}

/** Of the bytes of a line; empty where it cannot be seen. */
export function toKindOfBytes(line: Buffer): string {
  return toKind(line.toString('latin1', 0, HEAD_CHARS), () => toTail(line));
}

function toTail(line: Buffer): string {
  return line.toString('latin1', Math.max(0, line.length - TAIL_CHARS));
}

function toKind(head: string, toTail: () => string): string {
  const first = FIRST.exec(head);
  return first === null ? '' : (first[1] ?? first[2] ?? LAST.exec(toTail())?.[1] ?? '');
}
