/**
 * Defines the frozen measures with which Oncebitten evaluates itself: the reference signature, which tells whether two
 * failures are the same, and the class of a failure. FROZEN, and on purpose neither the product's signature nor built
 * from its parts, because finer signatures or a convenient class alone would otherwise improve the figures. The
 * reference signature is simple: the program and the first line that mentions an error, with variable parts masked.
 */

interface ReferenceFailure {
  readonly tool: string;
  readonly command?: string | undefined;
  readonly output?: string | undefined;
}

const MAX_LINES = 400;
const MAX_CHARS = 160;
const ERROR_WORD =
  /\b(?:error|errors|fatal|fail|failed|failure|panic|exception|traceback|cannot|can't|couldn't|could not|unable|not found|no such|does not exist|doesn't exist|unknown|unrecogni[sz]ed|invalid|illegal|denied|refused|missing|required|unexpected|undefined|not permitted|not allowed|no matches|is a directory|read-only|timed out|conflict)\b/i;

const PREPARING = /^(?:cd|pushd|export|set|source|\.|echo|sleep|true|:|sudo|time|env|command)$/;

const MASKS: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  [/\x1b\[[0-9;?]*[A-Za-z]/g, ''],
  [/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|‘[^’]*’/g, '<q>'],
  [/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<url>'],
  [/\S*\/\S*/g, '<path>'],
  [/\b[\w-]+\.[a-z]{1,5}\b(?::\d+)*/gi, '<path>'],
  [/\b[0-9a-f]{7,}\b/gi, '<hex>'],
  [/\d+/g, '<n>'],
  [/\s+/g, ' '],
];

export function toReferenceSignature(failure: ReferenceFailure): string {
  return `${toReferenceProgram(failure)}: ${toMasked(findLine(failure.output ?? ''))}`;
}

/** The first word of the first part of a command that does something; the tool if there is no command. */
export function toReferenceProgram({ tool, command }: Pick<ReferenceFailure, 'tool' | 'command'>): string {
  // A substituted value is not a program: `A=$(pwd)/x go test`.
  const plain = (command ?? '').replace(/\$\([^()]*\)/g, '$');
  for (const part of plain.split(/&&|\|\||[;|\n]/)) {
    const words = part.trim().split(/\s+/);
    const word = words.find((one) => one !== '' && !/^\w+=/.test(one) && !/^["'()!{]/.test(one));
    if (word !== undefined && !PREPARING.test(word)) return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  }
  return tool;
}

function findLine(output: string): string {
  const lines = output
    .split('\n', MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^exit code \d+$/i.test(line));
  return lines.find((line) => ERROR_WORD.test(line)) ?? lines[0] ?? '';
}

function toMasked(line: string): string {
  const masked = MASKS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line.slice(0, 2000));
  return masked.trim().toLowerCase().slice(0, MAX_CHARS);
}

/**
 * The class of a failure, for the figures (`command`: another call was the fix; `verdict`: code was; `harness`: the
 * agent refused before any hook could fire; `world`: the same call works at another time). FROZEN like the reference
 * signature, so that a convenient class cannot improve the figures.
 */
export const FAILURE_CLASSES = ['command', 'verdict', 'harness', 'world'] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

interface ClassifiedFailure {
  /** The canonical name. */
  readonly tool: string;
  readonly command?: string | undefined;
  readonly output?: string | undefined;
  readonly exitCode?: number | undefined;
}

export function classifyFailure({ tool, command = '', output = '', exitCode }: ClassifiedFailure): FailureClass {
  if (isHarness(tool, output)) return 'harness';
  if (tool !== 'shell') return has(WORLD, output) ? 'world' : 'command';
  if (isHung(output, exitCode)) return 'command';
  if (isPending(command, exitCode) || (has(WORLD, output) && !has(TESTED, output))) return 'world';
  if (has(MISTAKES, output)) return has(TESTED, output) ? 'verdict' : 'command';
  return CHECKS.test(command) || has(TESTED, output) || has(VERDICTS, output) ? 'verdict' : 'command';
}

/** Errors of input validation, which runs before hooks. */
const HARNESS: readonly RegExp[] = [
  /^InputValidationError\b/,
  /^String to replace not found in file/,
  /^Found \d+ matches of the string to replace/,
  /^No changes to make: old_string and new_string/,
  /^File has (?:not been read yet|been (?:unexpectedly )?modified since)/,
  /^(?:File|Path|Directory) does not exist/,
  /^(?:Cannot create new file - file already exists|File already exists)/,
  /^(?:No such tool available|Unknown (?:tool|skill)|Task not found|No task found|Tool names must be unique)/i,
  /apply_patch verification failed|Failed to find (?:expected lines|context)|invalid (?:patch|hunk)/i,
  /^failed to parse function arguments/i,
  /^Agent type .* not found|unknown MCP server|^write_stdin failed|^collab spawn failed/i,
];

function isHarness(tool: string, output: string): boolean {
  const text = output.trimStart();
  if (tool === 'shell' && !/apply_patch|InputValidationError|function arguments/.test(text)) return false;
  return has(HARNESS, text);
}

const WORLD: readonly RegExp[] = [
  /could not resolve host|name or service not known|getaddrinfo|temporary failure in name resolution|lookup \S+(?: on \S+)?: no such host/i,
  /network is (?:down|unreachable)|no route to host|failed to connect to|error connecting to|connection (?:refused|reset|timed out|closed)/i,
  /\bECONN(?:REFUSED|RESET|ABORTED)\b|\bETIMEDOUT\b|\bEAI_AGAIN\b|tls handshake timeout|i\/o timeout/i,
  /rate limit|too many requests|\bHTTP[ /\d.]*(?:429|50[0234])\b|service unavailable|bad gateway|gateway timeout/i,
  /\.lock['"]?: file exists|another git process|resource temporarily unavailable|database is locked/i,
  /no space left on device|cannot allocate memory/i,
];

/** The command was ended from outside, so what it had printed by then judges nothing. 124: timeout(1). */
function isHung(output: string, exitCode: number | undefined): boolean {
  return exitCode === 124 || /^(?:error: )?(?:the )?command (?:has )?timed out after \d/im.test(output);
}

/** `gh pr checks` exits with 8 while checks run, and with 1 if checks failed on the server. */
function isPending(command: string, exitCode: number | undefined): boolean {
  return /\bgh\s+(?:pr\s+checks|run\s+watch)\b/.test(command) && (exitCode === 8 || exitCode === 1);
}

/** The program does not know the word it was given, or the object does not exist. */
const MISTAKES: readonly RegExp[] = [
  /command not found|: not found$|executable file not found/im,
  /(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|no such) (?:[\w-]+ ){0,2}(?:flag|option|argument|switch|(?:sub-?)?command|task|recipe)\b/i,
  /flag provided but not defined|accepts (?:at most|between) \d+ arg|unknown (?:shorthand flag|json field|revision)/i,
  /^(?:\S+:)*\s*(?:cd|ls|cat|cp|mv|rm|sed|head|tail|grep|zsh|bash|sh)?:?.*: (?:no such file or directory|is a directory|not a directory)/im,
  /^(?:zsh|bash|sh|\(eval\)):(?:\d+:|line \d+:)?.*(?:no matches found|read-only variable|parse error|syntax error|bad pattern)/im,
  /no tasks? .* found|missing script|no rule to make target|directory not found|cannot find (?:main )?module|outside main module/i,
  /exec format error|operation not permitted|named files must|cannot (?:run|write) .*test/i,
];

/** Tests ran, so the rest of the output is about them. */
const TESTED: readonly RegExp[] = [/^[ \t]*--- FAIL: /m, /^test result: FAILED/m, /\b[1-9]\d* (?:failed|failing)\b/i];

const VERDICTS: readonly RegExp[] = [
  /^FAIL\b/m,
  /\b[1-9]\d* (?:problems?|issues?)\b/i,
  /^CONFLICT \(/m,
  /^[^\s:()]+\.(?:go|ts|tsx|js|jsx|py|rs|java|kt|c|cc|cpp|h|rb|php|cs|swift)[:(]\d+[:,]\d+\)?:? /m,
  /\bAssertionError\b|^E {2,}assert /m,
  /could not compile|compilation failed|\[build failed\]/i,
];

const CHECKS =
  /(?:^|[\s;&|(/])(?:go (?:test|vet|build)|gofmt|goimports|golangci-lint|staticcheck|pytest|tox|mypy|ruff|flake8|pylint|pyright|eslint|biome|prettier|tsc|jest|vitest|mocha|playwright|cargo (?:test|build|check|clippy|fmt)|rspec|rubocop|phpunit|ctest|shellcheck|swift (?:test|build)|dotnet (?:test|build)|mvn|gradlew?|make (?:test|check|lint|build|all)|(?:npm|pnpm|yarn|bun|mise|task|just|deno|uv|poetry|make|nox)(?: run)?(?: -\S+)* (?:\S*:)?(?:test|tests|lint|check|build|fmt|format|typecheck|types|ci|e2e|unit)(?:[:\w-]*)?)(?=$|[\s;&|):])/;

function has(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}
