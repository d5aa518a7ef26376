/**
 * A stranger's text without commands that act: those that run scripts of the repository, push, publish, deploy or fetch. Who
 * can write a file into a repository can also write the script that the file names, so a person reads both first.
 */

export const WITHHELD = '[command withheld]';

/** What sends the repository's content to other machines: programs with the words that make them do it. */
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
/** What brings code from elsewhere. */
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
/** To a word later in the same command. */
const LATER = '(?:\\s+[^\\s`|;&]{1,60}){0,4}?\\s+';
/** Where a command can begin. */
const START = '(?<![\\w./-])';

/** Words behind which a command stands in a sentence. */
const BEFORE =
  '\\b(?:run|runs|running|execute|call|calls|use|using|via|with|then|and|or|first|by|before|after|needs)\\s+';
const TARGET = '(?!(?:a|an|any|certain|it|no|not|one|sure|that|the|them|this|use|your)\\b)[\\w:.@/][\\w:.@/-]*';

const ACTING: readonly RegExp[] = [
  // A path that is run, or handed to a program that runs it.
  /(?<![\w/.])\.{1,2}[\\/][\w.-]/,
  /(?<![\w./-])(?:(?:ba|z|da|k|fi|c|tc)?sh|source|node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php|lua|Rscript|pwsh|powershell(?:\.exe)?|java)\s+(?:-\S+\s+)*["']?[\w@./\\-]+/i,
  /(?<![\w./-])(?:scripts?|bin|tools?|hack|dev|ci|\.github|\.husky|\.claude)[\\/][\w./-]+/i,
  /(?<![\w./-])[\w-]+\.(?:sh|bash|zsh|fish|ps1|bat|cmd|command)(?![\w/])/i,
  // Runners of what the repository's own files define.
  /(?<![\w./-])(?:npm|pnpm|yarn|bun)\s+(?:run|run-script|test|t|start|stop|restart|exec)(?![\w-])/i,
  /(?<![\w./-])(?:gmake|rake|tox|nox|gradlew?|mvnw?|mage|earthly|dagger|bazel|buck2?)\s+[\w:.@/-]+/i,
  // These are words of prose, too: only where a command stands.
  new RegExp(`(?:^|[\`\\n;&|:(]\\s*|${BEFORE})(?:make|just|task|invoke|inv|ant)\\s+${TARGET}`, 'i'),
  new RegExp(`(?:[\`\\n;&|:(]\\s*|${BEFORE})ninja\\s+${TARGET}`, 'i'),
  /(?<![\w./-])(?:go\s+(?:run|generate)|cargo\s+(?:run|xtask)|composer\s+run\S*|bundle\s+exec|(?:poetry|uv|pdm|pipenv|hatch)\s+run|docker[ -]compose\s+\S+|pre-commit\s+run|ansible-playbook|vagrant\s+up)(?![\w-])/i,
  ...[...SENDING, ...FETCHING].map(
    ([programs, words]) => new RegExp(`${START}(?:${programs})${LATER}(?:${words})(?![\\w-])`, 'i'),
  ),
  /(?<![\w./-])(?:curl|wget|aria2c|scp|sftp|rsync|ftp|lftp|nc|ncat|socat|ssh|iwr|irm|invoke-webrequest|invoke-restmethod|npx|bunx|pnpx|uvx|pipx|eval|exec)\s+\S/i,
  /\bhttps?:\/\/|\bgit@|\bgit\+/i,
];

export interface Withheld {
  readonly text: string;
  readonly isWithheld: boolean;
}

/** Takes out the quoted code that acts; where it stands without quotes, the whole sentence or line. */
export function withholdCommands(text: string): Withheld {
  if (!isActing(text)) return { text, isWithheld: false };
  const quoted = text
    .normalize('NFKC')
    .replace(/`+([^`]*)`+/g, (code, inner: string) => (isActing(inner) ? WITHHELD : code));
  const clean = quoted
    .split(/(?<=[.!?;]\s)|(\n+)/)
    .filter((part) => part !== undefined)
    .map((part) => (isActing(part.replaceAll(WITHHELD, '')) ? `${WITHHELD}${/\s*$/.exec(part)?.[0] ?? ''}` : part))
    .join('');
  // A command can run over the end of a sentence: `make -C . all`.
  return { text: isActing(clean.replaceAll(WITHHELD, '')) ? WITHHELD : clean, isWithheld: true };
}

function isActing(text: string): boolean {
  const plain = text.normalize('NFKC');
  return ACTING.some((pattern) => pattern.test(plain));
}
