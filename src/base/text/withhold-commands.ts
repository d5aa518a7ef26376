/**
 * Renders text from outside as a model may read it before a person confirms it. A command is kept only if it is known
 * to be read-only. Other commands are removed, because whoever writes a file into a repository can also write the
 * script, configuration or hook that the command would run. Sentences that address the reader or claim to come from the
 * user are removed too.
 */

import { ANY_SHELL, parseCommand } from '../shell/parse-command.ts';
import { findFacts, hasTrait, isKnownAs, listPrograms } from '../shell/programs/all-facts.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import { toPositionals } from '../shell/simple-command.ts';

export const WITHHELD = '[command withheld]';

/** Programs and their words that send the repository's content to other machines. */
const SENDING: readonly (readonly [programs: string, words: string])[] = [
  ['git|hg|jj', 'push|send-email|send-pack'],
  ['svn', 'commit|ci|import'],
  ['gh|glab', 'create|merge|release|upload|deploy|sync|edit|close|api'],
  ['docker|podman|helm|oras|crane|skopeo', 'push|copy'],
  [
    'npm|pnpm|yarn|bun|lerna|nx|changeset|vsce|ovsx|cargo|gem|twine|poetry|uv|hatch|mvn|gradle|dotnet|nuget|goreleaser',
    'publish|push|upload|deploy|release',
  ],
  [
    'wrangler|vercel|fly|flyctl|netlify|firebase|serverless|sls|sst|kubectl|terraform|tofu|pulumi|cdk|heroku|eb|cf',
    'publish|push|upload|deploy|release|apply|up|create',
  ],
  ['aws|gcloud|gsutil|az|rclone|s3cmd|mc', 'cp|mv|sync|upload|deploy|create|publish|copy|rsync'],
];
/** Programs and their words that download code. */
const FETCHING: readonly (readonly [programs: string, words: string])[] = [
  ['git|svn|hg|jj', 'clone|fetch|pull|submodule|checkout\\s+http\\S*|co\\s+http\\S*'],
  ['gh|glab', 'clone|download|install|checkout'],
  ['docker|podman|helm', 'pull|run|install|upgrade|build'],
  ['npm|pnpm|yarn|bun|deno', 'install|i|add|ci|update|upgrade|dlx|x|exec|create|init'],
  ['pip|pip3|pipx|uv|poetry|conda|mamba|pdm', 'install|add|sync|update|upgrade|run|download'],
  [
    'cargo|go|gem|bundle|composer|dotnet|mix|stack|cabal|opam|luarocks',
    'install|add|get|update|upgrade|require|restore|fetch|mod',
  ],
  [
    'brew|apt|apt-get|dnf|yum|apk|pacman|choco|winget|scoop|nix|snap|flatpak|port',
    'install|add|upgrade|update|run|shell|-S',
  ],
];
/** Up to a word later in the same command. */
const LATER = '(?:\\s+[^\\s`|;&]{1,60}){0,4}?\\s+';
/** The start of a command. */
const START = '(?<![\\w./-])';

/** Words that introduce a command in a sentence. */
const BEFORE =
  '\\b(?:run|runs|running|execute|call|calls|use|using|via|with|then|and|or|first|by|before|after|needs)\\s+';
const TARGET = '(?!(?:a|an|any|certain|it|no|not|one|sure|that|the|them|this|use|your)\\b)[\\w:.@/][\\w:.@/-]*';

const RUNNING = ['source', 'bun', 'java', ...listPrograms('shell', 'power-shell', 'interpreter')].join('|');
const MANAGERS = listPrograms('node-packages').join('|');

const ACTING: readonly RegExp[] = [
  // A path that is run, or passed to a program that runs it.
  /(?<![\w/.])\.{1,2}[\\/][\w.-]/,
  new RegExp(`${START}(?:${RUNNING}|python[\\d.]+)\\s+(?:-\\S+\\s+)*["']?[\\w@./\\\\-]+`, 'i'),
  /(?<![\w./-])(?:scripts?|bin|tools?|hack|dev|ci|\.[a-z][\w-]*)[\\/][\w./-]+/i,
  /(?<![\w./-])[\w-]+\.(?:sh|bash|zsh|fish|ps1|bat|cmd|command)(?![\w/])/i,
  // Runners of scripts that the repository's own files define.
  new RegExp(`${START}(?:${MANAGERS})\\s+(?:run|run-script|test|t|start|stop|restart|exec)(?![\\w-])`, 'i'),
  /(?<![\w./-])(?:gmake|rake|tox|nox|gradlew?|mvnw?|mage|earthly|dagger|bazel|buck2?)\s+[\w:.@/-]+/i,
  // These names are also English words, so they count only in the position of a command.
  new RegExp(`(?:^|[\`\\n;&|:(]\\s*|${BEFORE})(?:make|just|task|invoke|inv|ant)\\s+${TARGET}`, 'i'),
  new RegExp(`(?:[\`\\n;&|:(]\\s*|${BEFORE})ninja\\s+${TARGET}`, 'i'),
  /(?<![\w./-])(?:go\s+(?:run|generate)|cargo\s+(?:run|xtask)|composer\s+run\S*|bundle\s+exec|(?:poetry|uv|pdm|pipenv|hatch)\s+run|docker[ -]compose\s+\S+|pre-commit\s+run|ansible-playbook|vagrant\s+up)(?![\w-])/i,
  ...[...SENDING, ...FETCHING].map(
    ([programs, words]) => new RegExp(`${START}(?:${programs})${LATER}(?:${words})(?![\\w-])`, 'i'),
  ),
  /(?<![\w./-])(?:curl|wget|aria2c|scp|sftp|rsync|ftp|lftp|nc|ncat|socat|ssh|iwr|irm|invoke-webrequest|invoke-restmethod|npx|bunx|pnpx|uvx|pipx|eval|exec)\s+\S/i,
  /\bhttps?:\/\/|\bgit@|\bgit\+/i,
];

/** Programs whose names are not English words. Only an auxiliary or a preposition beside one makes the text prose. */
const PROGRAMS = listPrograms('unmistakable').join('|');
const AUXILIARY =
  'about|after|and|are|as|at|because|before|but|can|cannot|could|does|did|fails|for|from|had|has|in|into|is|may|must|' +
  'needs|never|of|on|only|or|should|than|that|to|was|were|when|which|while|will|with|without|would';
const NAMED_PROGRAM = new RegExp(`${START}(?:${PROGRAMS})(?![\\w./-])(?!\\s+(?:${AUXILIARY})\\b)`, 'i');
/** A verb that tells the reader to run something, and its object. */
const RUN_ORDER = new RegExp(
  `\\b(?:run|runs|running|rerun|execute|invoke|call|calls|launch|start|exec)\\s+["']?(?!(?:${AUXILIARY}|again|once|out|twice)\\b)${TARGET}`,
  'i',
);
/** After these words an option is prose; after any other word, that word is the program. */
const BEFORE_OPTION =
  'a|accepts|add|an|and|called|drop|flag|flags|give|has|have|is|knows|lacks|named|need|needs|no|not|of|omit|option|options|' +
  'or|over|pass|prefer|remove|set|switch|takes|than|that|the|to|use|uses|using|want|wants|with|without';
const OPTION_OF_PROGRAM = new RegExp(`(?<![\\w-])(?!(?:${BEFORE_OPTION})\\s)[^\\s-]\\S*\\s+["']?--?[a-z]`, 'i');
const SHELL_SIGNS = /&&|\|{1,2}|\$[({\w]|[<>]|(?<!\S)\w+=\S/;
/** A sentence contains one of these words, or letters that no command contains. Words of shells are not included. */
const SENTENCE =
  /(?<![\w-])(?:an?|about|after|are|be|because|been|before|both|but|can|cannot|could|does|from|had|has|have|instead|into|is|it|its|may|must|never|need|needs|of|on|should|than|that|the|their|there|these|they|this|those|to|was|were|when|which|will|with|without|would)(?![\w-])|[^\p{ASCII}\p{P}\p{S}]{2}/iu;
const ADDRESS =
  /\b(?:you|your|yours|yourself|please)\b|\b(?:the|this|our|my)\s+(?:user|users|owner|maintainers?|human|person|developer|operator|assistant|agent|model|system)\b/i;

interface Withheld {
  readonly text: string;
  readonly isWithheld: boolean;
}

const MARK = /\ue000(\d+)\ue001/g;

/** Removes quoted code that is not read-only; for code outside quotes, removes the whole sentence or line. */
export function withholdCommands(text: string): Withheld {
  const plain = text.normalize('NFKC').replace(/[\ue000\ue001]/g, '');
  if (plain.trim() === '' || isHarmlessCode(plain)) return { text, isWithheld: false };
  const codes: string[] = [];
  // A placeholder replaces the code while its sentence is judged, because a command may contain the end of a sentence.
  const marked = plain.replace(/`+([^`]*)`+/g, (code, inner: string) => {
    codes.push(isHarmlessCode(inner) ? code : WITHHELD);
    return `\ue000${codes.length - 1}\ue001`;
  });
  const clean = marked
    .split(/(?<=[.!?;]\s)|(\n+)/)
    .filter((part) => part !== undefined)
    .map((part) => (isProse(part) ? part : `${WITHHELD}${/\s*$/.exec(part)?.[0] ?? ''}`))
    .join('');
  // A command may continue after the end of a sentence: `make -C . all`.
  const whole = isActing(toJudged(clean)) ? WITHHELD : clean.replace(MARK, (_, n: string) => codes[Number(n)] ?? '');
  const once = whole.replace(/(?:\[command withheld\]\s*)+(?=\[command withheld\])/g, '');
  return once === plain ? { text, isWithheld: false } : { text: once, isWithheld: true };
}

function isProse(part: string): boolean {
  const judged = toJudged(part);
  if (/^[\s\p{P}\p{S}]*$/u.test(judged)) return true;
  if (!SENTENCE.test(judged) || SHELL_SIGNS.test(judged) || isActing(judged)) return false;
  return ![NAMED_PROGRAM, RUN_ORDER, OPTION_OF_PROGRAM, ADDRESS].some((pattern) => pattern.test(judged));
}

/** Quoted code was already judged, so in its sentence it counts as a noun. */
function toJudged(text: string): string {
  return text.replaceAll(WITHHELD, ' ').replace(MARK, 'the thing').replaceAll('`', ' ');
}

const OPTION = /^--?[a-z][\w-]*(?:=[\w.-]*)?$/i;
const FILE_OR_VARIABLE = /^(?:[\w-]+(?:\.[\w-]+)+|[A-Z][A-Z0-9]*_[A-Z0-9_]+)$/;

function isHarmlessCode(code: string): boolean {
  const plain = code.normalize('NFKC').trim();
  if (isActing(plain)) return false;
  return OPTION.test(plain) || FILE_OR_VARIABLE.test(plain) || isReading(plain);
}

const READING_HUB = /^(?:pr|issue|run|release|repo|workflow) (?:view|list|diff|checks|status)(?: |$)/;
/** Options that make a read-only program run another one, write a file, or load other configuration. */
const ACTING_OPTION = /^(?:--(?:ext-diff|textconv|output|open-files-in-pager|pre|kubeconfig|compile|web)(?:=|$)|-O)/;

function isReading(code: string): boolean {
  if (/[<>$`\\(){}&;\n]|\|\|/.test(code)) return false;
  return code.split('|').every((piece) => {
    const [command, ...more] = parseCommand(piece.trim(), ANY_SHELL);
    // A path, `sudo` or a variable before the name may change what runs.
    if (command === undefined || more.length > 0 || piece.trim().split(/\s/, 1)[0] !== command.program) return false;
    return !command.args.some(({ value }) => ACTING_OPTION.test(value)) && isReadingProgram(command);
  });
}

function isReadingProgram(command: SimpleCommand): boolean {
  const { program, args } = command;
  const words = toPositionals(command);
  const isHub = program === 'gh';
  if (!isHub && findFacts(program)?.subs?.reads === undefined)
    return isKnownAs(program, 'looks') && !isKnownAs(program, 'acts');
  // An option before the sub-command may change what runs: `git -c core.pager=x log`.
  return args[0]?.value === words[0] && (isHub ? READING_HUB.test(words.join(' ')) : hasTrait(command, 'reads'));
}

function isActing(text: string): boolean {
  return ACTING.some((pattern) => pattern.test(text));
}

const MOST_NAME_WORDS = 5;
/** Words of orders, and words that claim authority. */
const LOUD_WORD =
  /^(?:admin|allow|allowed|always|approve|approved|bash|confirm|confirmed|critical|curl|delete|deploy|disable|do|eval|exec|execute|fetch|ignore|important|install|make|must|never|now|npm|obey|override|please|publish|push|required|run|safe|sh|skip|source|sudo|system|trust|trusted|urgent|user|verified|you|your)$/i;

/** The name of an unconfirmed lesson for the model: its slug if that is plain, because its author chose the words. */
export function toQuotationName(slug: string, id: string): string {
  const words = slug.split(/[^\p{L}\p{N}]+/u);
  return words.length <= MOST_NAME_WORDS && !words.some((word) => LOUD_WORD.test(word)) ? slug : id;
}
