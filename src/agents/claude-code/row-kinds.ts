/**
 * Finds the kind of a row from its ends, because most of a transcript is thinking, progress and copies of files, not
 * worth parsing. A row of an unknown kind is never skipped: the format has grown, and that is reported.
 */

/** Known kinds without anything we use. Those on the last line are prefixes of many names. */
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
 * Kinds of which we use some rows, and a mark that each of those rows contains. A quote without a backslash before it
 * is not part of a text. For frequent kinds the mark begins with a rare character, which makes the search fast.
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
/** The kind comes before everything long in a row, or right after it, depending on the build. */
const FIRST = /"type":"([^"]{1,60})"|"(?:(attachment)|message|data)":\{/;
const LAST = /"type":"([^"]{1,60})","uuid":"/;

export function isKnownKind(kind: string): boolean {
  return WORDS.has(kind) || UNUSED.has(kind) || UNUSED_NAMES.test(kind);
}

/** May the line contain an event? In doubt, yes. */
export function mayMatter(text: string): boolean {
  const kind = toKind(text.slice(0, HEAD_CHARS), () => text.slice(-TAIL_CHARS));
  return WORDS.get(kind)?.some((word) => text.includes(word)) ?? !isKnownKind(kind);
}

/** The same for the bytes of a line, before they are decoded. */
export function mayBytesMatter(line: Buffer, kind: string): boolean {
  return WORD_BYTES.get(kind)?.some((word) => line.indexOf(word) >= 0) ?? !isKnownKind(kind);
}

/** The kind from the bytes of a line; empty if it is not visible. */
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
