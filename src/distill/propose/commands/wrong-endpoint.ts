/**
 * A path of a web API that does not exist, and the one that does: `pulls/comments/7/replies` for
 * `pulls/12/comments/7/replies`. Numbers and ids are left out: the form is wrong, whatever they are.
 */
import type { LiveCall } from '../../../base/model/call.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPositionals } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { findLater, hasRun } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toExample } from '../../text/edit-text.ts';

const MAX_STEPS = 8;
const MISSING = /\b(?:HTTP[ /:]*|status[ ":]*)?(?:404|405)\b|\bnot found\b|no such (?:route|endpoint)/i;
const ID = /^(?:\d+|[0-9a-f]{7,40}|[0-9a-f]{8}-[0-9a-f-]{27,})$/i;
const ANY_ID = '[0-9a-fA-F\\-]+';
const ANY_NAME = `[^/\\s"'?]+`;

export const wrongEndpoint = makePairDetector({
  name: 'distill/wrong-endpoint@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const failed = trouble.commands.find((command) => findPath(command) !== undefined);
    const path = failed === undefined ? undefined : findPath(failed);
    if (failed === undefined || path === undefined || !trouble.toLines().some((line) => MISSING.test(line)))
      return undefined;
    const form = toForm(path);
    const isKnown = new RegExp(form);
    const works = (one: SimpleCommand, at: number): boolean => {
      const call = trouble.calls[at];
      return call !== undefined && hasRun(call) && isKnown.test(one.text);
    };
    // The path is right after all: what was missing is the thing itself.
    if (trouble.calls.some((_, at) => trouble.commandsOf(at).some((one) => works(one, at)))) return undefined;
    const later = findLater(trouble, MAX_STEPS, (one, call) => {
      const other = one.program === failed.program ? findPath(one) : undefined;
      return other !== undefined && (isOtherWay(path, other) || isPicked(path, other, one, call));
    });
    if (later === undefined) return undefined;
    const right = findPath(later.command) ?? '';
    return {
      index: later.index,
      text: {
        summary: `There is no \`${toShown(path)}\`: it is \`${toShown(right)}\``,
        mistake: `\`${toAnybodys(failed, path)}\` failed: not found (404)`,
        remediation: `Use \`${toAnybodys(later.command, right)}\``,
        example: toExample(failed, later.command, 'not found (404)'),
        tags: [`tool:${failed.program}`, 'topic:api-path'],
      },
      triggers: {
        tools: ['shell'],
        programs: [{ name: failed.program, ...(isApi(failed) ? { sub: ['api'] } : {}) }],
        command: { match: [form] },
      },
      intentKey: `${failed.program} ${toShown(path)}`.slice(0, 120),
      signals: later.signals,
    };
  },
});

function isApi(command: SimpleCommand): boolean {
  return toPositionals(command)[0] === 'api';
}

/** Without variables: only the shell knows what they were. */
function findPath(command: SimpleCommand): string | undefined {
  const words = toPositionals(command);
  const word = isApi(command) ? words[1] : words.find((one) => /^https?:\/\//.test(one));
  if (word === undefined || !(isApi(command) || isKnownAs(command.program, 'http'))) return undefined;
  const path = word.split('?', 1)[0] ?? '';
  return path.includes('/') && !/[$`*]/.test(path) ? path.replace(/^\/|\/$/g, '') : undefined;
}

/** The same thing under another path: one has all parts of the other in their order, and a number or name between. */
function isOtherWay(wrong: string, right: string): boolean {
  const [short = [], long = []] = [wrong.split('/'), right.split('/')].sort((a, b) => a.length - b.length);
  let at = 0;
  for (const part of long) if (part === short[at]) at++;
  return at === short.length && long.length === short.length + 1 && long.at(-1) === short.at(-1);
}

/** The list that the thing is in, and its id to pick it from there. */
function isPicked(wrong: string, right: string, { text }: SimpleCommand, { command = '' }: LiveCall): boolean {
  const at = wrong.lastIndexOf('/');
  const id = wrong.slice(at + 1);
  return ID.test(id) && wrong.slice(0, at) === right && (text.includes(id) || command.includes(id));
}

/** Owner and repository may be any: what follows them is the API's. */
function isNameAt(parts: readonly string[], at: number): boolean {
  const repos = parts.indexOf('repos');
  return repos >= 0 && at > repos && at <= repos + 2;
}

function toForm(path: string): string {
  const parts = path.split('/');
  const isName = (at: number): boolean => isNameAt(parts, at);
  return `(?:^|[\\s"'/])${parts.map((part, at) => (isName(at) ? ANY_NAME : ID.test(part) ? ANY_ID : toLiteral(part))).join('/')}(?:[\\s"'?]|$)`;
}

/** In words as wide as the trigger: it speaks in other repositories, too. */
function toShown(path: string): string {
  const parts = path.split('/');
  const repos = parts.indexOf('repos');
  return parts
    .map((part, at) =>
      isNameAt(parts, at) ? (at === repos + 1 ? '{owner}' : '{repo}') : ID.test(part) ? '{id}' : part,
    )
    .join('/');
}

function toAnybodys(command: SimpleCommand, path: string): string {
  return `${command.program} ${isApi(command) ? 'api ' : ''}${toShown(path)}`;
}
