/** The hosts that a command line names. Files with a dot in their name are none: only who reaches for the net names one bare. */
import { BASH, parseCommand } from '../../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';

const SCHEME = /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s/@'"`<>]*@)?(\[[0-9a-f:.]+\]|[^\s/:?#'"`<>)\]},;…]+)/gi;
/** `user@host:path` of ssh, scp and git. */
const AT = /(?:^|[\s'"=])[\w.-]+@([a-z0-9][\w.-]*\.[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3})(?=[:\s'"/]|$)/gi;
const BARE =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]{1,}$|^\d{1,3}(?:\.\d{1,3}){3}$|^0x[0-9a-f]{8}$|^\d{8,10}$/i;
/** What these are given first is a host, with or without a port and a path. */
const REACHING = new Set(
  'curl wget http https xh httpie aria2c nc ncat netcat telnet socat ssh scp sftp ftp lftp rsync ping dig nslookup host openssl websocat invoke-webrequest iwr irm'.split(
    ' ',
  ),
);
/** Programs whose words may begin with the host of a registry or a repository. */
const FETCHING = new Set('git docker podman go skopeo oras helm pip pip3 uv npm pnpm yarn bun cargo'.split(' '));
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal)$|\.localhost$/i;

export function isLocalHost(host: string): boolean {
  return LOCAL.test(host);
}

export function findHosts(line: string): readonly string[] {
  const plain = line.normalize('NFKC');
  const written = [SCHEME, AT].flatMap((form) => [...plain.matchAll(form)].map(([, host = '']) => host));
  const bare = parseCommand(plain, BASH).flatMap((command) => findBare(command));
  const hosts = [...written, ...bare].map((host) => host.toLowerCase().replace(/\.$/, ''));
  return [...new Set(hosts)].filter((host) => host !== '' && !isLocalHost(host));
}

/** Options whose value is a place in the net, whatever the program. */
const HOST_OPTION =
  /^--?(?:[a-z0-9]+[-_.])*(?:url|uri|host|hostname|endpoint|server|webhook|registry|proxy|mirror|collector|sink|callback)(?:=(.*))?$/i;

function findGiven(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const match = HOST_OPTION.exec(word);
    const host = match === null ? undefined : toHost(match[1] ?? words[at + 1] ?? '');
    // A number or a name is a host to who reaches for one, not to any program.
    return host === undefined || !host.includes('.') ? [] : [host];
  });
}

function findBare({ program, args }: SimpleCommand): readonly string[] {
  const words = args.map(({ value }) => value);
  if (REACHING.has(program.toLowerCase())) return words.flatMap((word) => toHost(word) ?? []);
  const given = findGiven(words);
  // `evil.example/x` is a place to fetch from, `src/x.ts` is not.
  if (FETCHING.has(program))
    return [
      ...given,
      ...words.filter((word) => /^[^/\s]+\.[^/\s]+\//.test(word)).flatMap((word) => toHost(word) ?? []),
    ];
  return given;
}

function toHost(word: string): string | undefined {
  const bare = word.replace(/^[\w.-]+@/, '').split(/[/?#]/, 1)[0] ?? '';
  const host = bare.replace(/:\d*$/, '').replace(/:.*$/, '');
  return BARE.test(host) && !isFile(word, host) ? host : undefined;
}

/** `-o out.json`, `backup.sql`: an ending that no domain has. */
const ENDINGS =
  /\.(?:json|ya?ml|txt|md|html?|css|[cm]?[jt]sx?|py|rb|rs|go|java|sql|log|csv|xml|toml|tgz|gz|tar|bin|pem|crt|key|env|conf|cfg|lock|out|png|jpe?g|pdf)$/i;

function isFile(word: string, host: string): boolean {
  return word === host && ENDINGS.test(host);
}
