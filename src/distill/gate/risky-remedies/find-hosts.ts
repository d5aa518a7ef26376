/** The hosts that a command line names. Files with a dot in their name are none: only who reaches for the net names one bare. */
import { BASH, parseCommand } from '../../../base/shell/parse-command.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';

const SCHEME = /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s/@'"`<>]*@)?(\[[0-9a-f:.]+\]|[^\s/:?#'"`<>)\]},;…]+)/gi;
/** `user@host:path` of ssh, scp and git. */
const AT = /(?:^|[\s'"=])[\w.-]+@([a-z0-9][\w.-]*\.[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3})(?=[:\s'"/]|$)/gi;
const BARE =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]{1,}$|^\d{1,3}(?:\.\d{1,3}){3}$|^0x[0-9a-f]{8}$|^\d{8,10}$/i;
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
  if (isKnownAs(program, 'reaches')) return words.flatMap((word) => toHost(word) ?? []);
  const given = findGiven(words);
  // `evil.example/x` is a place to fetch from, `src/x.ts` is not.
  if (isKnownAs(program, 'registry'))
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
