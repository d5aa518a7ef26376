/** Whether a remedy may be taught without a person: what it does, and whether anybody asked for the hosts it names. */
import { BASH, parseCommand } from '../../../base/shell/parse-command.ts';
import { findHosts } from './find-hosts.ts';
import { REMEDY_ROWS, type RemedyRow } from './remedy-risks.ts';

interface RemedyContext {
  /** The command that failed and what the user asked for; without it hosts are not judged. */
  readonly named?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
}

export interface Risk {
  readonly name: RemedyRow['name'] | 'unnamed-host';
  readonly reason: string;
}

/** Longer than any remedy of ours: what a self-report adds behind is judged too, but not for ever. */
const MAX_CHARS = 4_000;

export function findRisks(remedy: string, context: RemedyContext): readonly Risk[] {
  const text = remedy.normalize('NFKC').slice(0, MAX_CHARS);
  const commands = [text, ...toQuoted(text)].flatMap((one) => parseCommand(one, BASH));
  const strange = context.named === undefined ? [] : findStrange(text, context.named);
  const rows = REMEDY_ROWS.filter(
    ({ lines = [], isRisky }) =>
      lines.some((pattern) => pattern.test(text)) ||
      (isRisky !== undefined && commands.some((command) => isRisky(command, context.cwd))),
  );
  // What goes to a host that was asked for is what was asked for.
  const harmful = rows.filter(({ name }) => name !== 'sends-out' || !isAskedFor(text, context.named, strange));
  return [
    ...harmful.map(({ name, reason }) => ({ name, reason })),
    ...(strange.length === 0
      ? []
      : [{ name: 'unnamed-host', reason: 'its remedy names a host that nobody asked for' } as const]),
  ];
}

function findStrange(text: string, named: readonly string[]): readonly string[] {
  const hosts = [text, ...toQuoted(text)].flatMap((one) => findHosts(one));
  const known = named.join('\n').normalize('NFKC').toLowerCase();
  return [...new Set(hosts)].filter((host) => !namesHost(known, host));
}

/** The host itself: `evil.example` is not named by `notevil.example`. */
function namesHost(known: string, host: string): boolean {
  for (let at = known.indexOf(host); at >= 0; at = known.indexOf(host, at + 1)) {
    const [before, after] = [known[at - 1] ?? ' ', known.slice(at + host.length, at + host.length + 2)];
    if (!/[\w.-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true;
  }
  return false;
}

/** A request of the kind that was made before, to no other host. */
function isAskedFor(text: string, named: readonly string[] | undefined, strange: readonly string[]): boolean {
  if (named === undefined) return true;
  if (strange.length > 0 || /\$\(|`|\/dev\/|[|<]|@/.test(text)) return false;
  return findHosts(text).length > 0 || /\b(?:localhost|127\.0\.0\.1|\[?::1\]?)\b/.test(text);
}

function toQuoted(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);
}
