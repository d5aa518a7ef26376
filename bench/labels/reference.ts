/**
 * What "the same intent" and "the edit between two calls" mean when we measure ourselves. FROZEN, and on purpose
 * neither the product's own definitions nor built from its parts, because a convenient definition would otherwise
 * improve the figures. Both are crude: words, and how many of them two commands have in common.
 */

export interface ReferenceCall {
  readonly tool: string;
  readonly command?: string | undefined;
  readonly path?: string | undefined;
  /** The parameters of a call that is no shell command. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

export interface ReferenceEdit {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const MIN_ALIKE = 0.6;

/** The same object through another tool, or a command that is most like the other one. */
export function isSameReferenceIntent(a: ReferenceCall, b: ReferenceCall): boolean {
  if (a.tool !== b.tool) return listObjects(a).some((object) => listObjects(b).includes(object));
  if (a.tool !== 'shell') return (a.path ?? '') === (b.path ?? '') && toMostAlike(a, b).alike >= MIN_ALIKE;
  return toMostAlike(a, b).alike >= MIN_ALIKE;
}

/** The words that the second call lacks and has more, in the two parts that are most alike. */
export function toReferenceEdit(a: ReferenceCall, b: ReferenceCall): ReferenceEdit {
  const { left, right } = toMostAlike(a, b);
  return { removed: subtract(left, right), added: subtract(right, left) };
}

/** Nobody can see whether the command worked: another one decided the exit code. */
export function isHidden({ tool, command = '' }: ReferenceCall): boolean {
  return tool === 'shell' && /[|;]|\n\s*\S|&\s*$/.test(command.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""').trim());
}

/** The same call, however its spaces and quotes are written. */
export function toExactCall({ tool, command, path, parameters }: ReferenceCall): string {
  if (command !== undefined) return `${tool} ${toWords(command).join(' ')}`;
  return `${tool} ${path ?? ''} ${JSON.stringify(parameters ?? {})}`;
}

function toMostAlike(a: ReferenceCall, b: ReferenceCall) {
  let most = { alike: -1, left: [] as readonly string[], right: [] as readonly string[] };
  for (const left of toParts(a))
    for (const right of toParts(b)) {
      const alike = toDice(left, right);
      if (alike > most.alike) most = { alike, left, right };
    }
  return most;
}

const PREPARING = new Set(['cd', 'echo', 'export', 'sleep', 'true']);

function toParts({ tool, command, path, parameters = {} }: ReferenceCall): readonly (readonly string[])[] {
  if (command === undefined)
    return [[tool, path ?? '', ...Object.entries(parameters).map(([key, value]) => `${key}=${value.slice(0, 80)}`)]];
  const parts = splitCommand(command)
    .map(toWords)
    .filter((words) => words.length > 0);
  const telling = parts.filter(([program = '']) => !PREPARING.has(program));
  return telling.length > 0 ? telling : parts;
}

/** At `&&`, `||`, `;`, `|` and line ends outside quotes. */
function splitCommand(command: string): readonly string[] {
  return (command.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^;&|\n"'\\]|&(?!&))+/g) ?? []).map((part) => part.trim());
}

function toWords(part: string): readonly string[] {
  return (part.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  );
}

function toDice(left: readonly string[], right: readonly string[]): number {
  const common = left.length - subtract(left, right).length;
  return left.length + right.length === 0 ? 0 : (2 * common) / (left.length + right.length);
}

function subtract(from: readonly string[], words: readonly string[]): readonly string[] {
  const left = [...words];
  return from.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function listObjects({ command, path }: ReferenceCall): readonly string[] {
  const words = command === undefined ? [path ?? ''] : toWords(command);
  return words.filter((word) => /[/.]/.test(word) && word.length > 4).map((word) => word.replace(/^.*\//, ''));
}
