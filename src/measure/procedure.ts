/**
 * Judges procedures: lessons that say what else to do on an occasion ("when you bump the version, change these four
 * files"). They do not come from a failed call, so firing on a later call is no mistake. A procedure is judged by its
 * own items: its files were changed and its commands were run, anywhere in the session. Items in free prose cannot be
 * observed and do not count.
 */

import type { LiveCall } from '../base/model/call.ts';
import type { DeliveryItems } from '../base/model/delivery.ts';
import { hasWorked } from '../base/model/event.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { isAboutAction } from '../base/model/lesson-trust.ts';
import { ANY_SHELL, parseCall, parseCommand } from '../base/shell/parse-command.ts';
import { isLooking } from '../base/shell/program-kinds.ts';
import { isKnownAs } from '../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../base/shell/simple-command.ts';
import { hasWord, isOption } from '../base/shell/simple-command.ts';
import { unwrapRunner } from '../base/shell/sub-commands.ts';
import { endsWithPath, toPlainPath } from '../base/text/paths.ts';
import { hasTarget } from '../base/triggers/trigger.ts';

/** An item that calls can show to be done. */
export interface ProcedureItem {
  /** The item's number in the list as the lesson shows it, from 1. */
  readonly number: number;
  readonly text: string;
  readonly targets: readonly Target[];
  /** Any one of its targets is enough: "`npm test` or `yarn test`". */
  readonly isEither: boolean;
}

type Target = { readonly file: string; readonly isRead: boolean } | { readonly command: SimpleCommand };

/** A call of the session, in memory or from the store. */
export type SessionCall = Pick<
  LiveCall,
  'tool' | 'rawTool' | 'outcome' | 'targetPath' | 'command' | 'inputSummary' | 'callId' | 'occurredAt'
>;

type ProcedureLesson = Pick<
  Lesson,
  'type' | 'summary' | 'remediation' | 'body' | 'triggers' | 'signatureId' | 'origin'
>;

/** The trigger names an occasion, not a mistake. */
export function isProcedure(lesson: ProcedureLesson): boolean {
  // An episode comes from a call that was corrected or refused.
  if (!isAboutAction(lesson) || lesson.origin.kind === 'episode') return false;
  if (lesson.type === 'checklist') return true;
  if (FORBIDDING.test(toWords(lesson)) && listItems(lesson).length === 0) return false;
  if (lesson.type === 'requirement') return true;
  const { paths: _, ...triggers } = lesson.triggers;
  return !hasTarget(triggers);
}

const FORBIDDING = /^\W*(?:never|do not|don'?t|must not|may not|avoid|no|stop|forbidden)\b/i;

/** Only items that calls can show to be done. */
export function listItems(lesson: ProcedureLesson): readonly ProcedureItem[] {
  const { body } = lesson;
  const bullets = body !== undefined && 'items' in body ? body.items : toBullets(toWords(lesson));
  if (bullets.length > 1 || lesson.type === 'checklist') return bullets.flatMap(toItem);
  const found = toSingleItems(bullets[0] ?? '');
  if (found.length > 0 || body === undefined || !('constraint' in body)) return found;
  // A constraint in prose is checked by its validation.
  return toSingleItems(body.validation ?? '');
}

function toItem(text: string, index: number): readonly ProcedureItem[] {
  const targets = listTargets(text);
  return targets.length === 0 ? [] : [{ number: index + 1, text, targets, isEither: EITHER.test(text) }];
}

/** A sentence that names four files has four items. */
function toSingleItems(text: string): readonly ProcedureItem[] {
  if (EITHER.test(text)) return toItem(text, 0);
  return listTargets(text).map((target, index) => ({
    number: index + 1,
    text: 'file' in target ? target.file : target.command.text,
    targets: [target],
    isEither: false,
  }));
}

const EITHER = /[`\w]\s*,?\s+or\s+/;

/** The request of the lesson, in its own words. */
function toWords({ body, remediation, summary }: ProcedureLesson): string {
  const asked =
    body === undefined
      ? ''
      : 'items' in body
        ? body.items.join('\n')
        : 'constraint' in body
          ? body.constraint
          : 'action' in body
            ? body.action
            : (body.mitigation ?? '');
  return asked.trim() || remediation.trim() || summary;
}

const BULLET = /(?:^|\n)\s*(?:[-*•]|\d+[.)]|\[[ x]\])\s+/;

/** Lines, bullets, or parts between semicolons. */
function toBullets(text: string): readonly string[] {
  const parts = BULLET.test(text)
    ? text.split(new RegExp(BULLET, 'g'))
    : text.split(/\n|;(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Clauses about the occasion, and things not to do, ask for nothing. */
const NOT_ASKED =
  /\b(?:when(?:ever)?|if|before|after|until|unless|once|while|never|not|don'?t|cannot|can'?t|avoid|instead of|rather than|without|than|like|from|e\.g\.)\b[^,.;:!?\n]*$/i;
const CODE = /`([^`\n]+)`/g;
/** Words of a sentence that look like a file, because they contain a folder or an extension. */
const BARE_FILE =
  /(?<![\w`/.@:-])(?:[\w.@+-]*\/)*[\w.@+-]*[\w-]\.[a-z]\w{0,7}(?![\w`/-])|(?<![\w`/.@:-])[\w.@+-]+(?:\/[\w.@+*-]+)+\/?/gi;
const FILE =
  /^(?:\.{0,2}\/)?[\w.@+*{},-]*(?:\/[\w.@+*{},-]*)+$|^[\w@+*.-]*[\w*-]\.[a-z]\w{0,7}$|^(?:Makefile|Dockerfile|Justfile|LICENSE|README|CHANGELOG|CODEOWNERS)$/i;
const NO_FILE = /^(?:\.{1,2}\/?|\/|\*+|i\.e\.?|e\.g\.?|and\/or|etc\.?)$|:\/\/|^\d|^www\./i;
/** Names of products: `Node.js`, `Asp.NET`. */
const PRODUCT = /^[A-Z][\w]*\.(?:js|io|net|ai|com|org|dev)$/i;
const READING = /\b(?:read|re-read|review|consult|check|see|look at|open|verify|compare|inspect)\b[^.;]*$/i;
const CHANGING = /\b(?:update|change|edit|bump|add|write|set|fill|regenerate|adjust|modify|fix|list|note)\b[^.;]*$/i;

function listTargets(text: string): readonly Target[] {
  const spans = [...text.matchAll(CODE)].flatMap(({ 1: span = '', index }) => {
    const before = text.slice(0, index);
    return NOT_ASKED.test(before) ? [] : toTarget(span.trim(), before);
  });
  if (spans.length > 0) return spans;
  const run = toBareCommand(text);
  if (run !== undefined) return [{ command: run }];
  return [...text.matchAll(BARE_FILE)].flatMap(({ 0: word, index }) => {
    const before = text.slice(0, index);
    return NOT_ASKED.test(before) || PRODUCT.test(word) || text.slice(index - 1, index) === '`'
      ? []
      : toFile(word, before);
  });
}

function toTarget(span: string, before: string): readonly Target[] {
  const command = toCommand(span, before);
  return command === undefined ? toFile(span, before) : [{ command }];
}

function toFile(word: string, before: string): readonly Target[] {
  if (!FILE.test(word) || NO_FILE.test(word)) return [];
  const file = word.replace(/^\.\//, '');
  const isRead = READING.test(before) && !CHANGING.test(before);
  return [{ file: file.endsWith('/') ? `${file}**` : file, isRead }];
}

const RUNNING =
  /(?:\b(?:run|running|execute|call|invoke|use|with|via|then|start|do|type)\b[^.;,]*|^\W*|[,:]\s*|\band\s+)$/i;
const PROGRAM = /^(?:\.{0,2}\/)?[a-z][\w.+/-]*$/;

/** One word may be anything; several words in backticks are a command if the sentence asks to run them. */
function toCommand(span: string, before: string): SimpleCommand | undefined {
  if (FILE.test(span) && !/\brun(?:ning)?\s+$/i.test(before)) return undefined;
  const isSeveral = /\s/.test(span);
  if (isSeveral ? !RUNNING.test(before) && !/\s-/.test(span) : !/\b(?:run|execute|call)\s+$/i.test(before))
    return undefined;
  const commands = parseCommand(span, ANY_SHELL)
    .map(unwrapRunner)
    .filter(({ program }) => program !== '' && program !== 'cd');
  const [command] = commands.slice(-1);
  return command !== undefined && PROGRAM.test(span.split(/\s/)[0] ?? '') ? command : undefined;
}

/** Commands that begin with an English word or with a path. */
const NO_NAME = /^(?:go (?:test|build|vet|run|mod|generate|fmt|install|get|tool|work)|\.\/[\w.-]+)(?=\s|$)/;
const CLAUSE_END = /\s+(?:and|then|before|after|to|in|until|so|again|when|if|for|on|with)\s|[,;:!?]|\.(?:\s|$)/;

/** "Run npm test before you push", or an item that is only a command. */
function toBareCommand(text: string): SimpleCommand | undefined {
  const [, run] = /^(?:please\s+|then\s+|always\s+)?(?:re-?)?run\s+(.+)$/is.exec(text.trim()) ?? [];
  const given = run ?? text.trim();
  if (!NO_NAME.test(given) && !isKnownAs(given.split(/\s/, 1)[0] ?? '', 'unmistakable', 'leading')) return undefined;
  const words = given.split(CLAUSE_END)[0]?.trim() ?? '';
  return parseCommand(words, ANY_SHELL)
    .map(unwrapRunner)
    .findLast(({ program }) => program !== '');
}

/** The source of a regular expression for a glob on paths. */
type ToRegex = (glob: string) => string;

/** The items that the calls of a session did or tried, in addition to those already known. */
export function noteItems(
  items: readonly ProcedureItem[],
  known: DeliveryItems | undefined,
  calls: readonly SessionCall[],
  toRegex: ToRegex,
): DeliveryItems {
  const done = new Set(known?.done);
  const tried = new Set(known?.tried);
  const seen = calls.filter(hasRun).map(toSeen);
  for (const { number, targets, isEither } of items) {
    const isDone = (target: Target): boolean => seen.some((call) => call.isDone && meets(target, call, toRegex));
    if (isEither ? targets.some(isDone) : targets.every(isDone)) done.add(number);
    else if (targets.some((target) => seen.some((call) => meets(target, call, toRegex)))) tried.add(number);
  }
  const numbers = items.map(({ number }) => number);
  return {
    done: numbers.filter((number) => done.has(number)),
    tried: numbers.filter((number) => tried.has(number) && !done.has(number)),
    open: numbers.filter((number) => !done.has(number)),
  };
}

function hasRun({ outcome }: SessionCall): boolean {
  return outcome !== 'cancelled' && outcome !== 'denied';
}

interface Seen {
  readonly isDone: boolean;
  /** The file of a read, edit or write. */
  readonly path: string | undefined;
  readonly isChange: boolean;
  readonly commands: readonly SimpleCommand[];
  /** Files that the line writes to: `echo x >> CHANGELOG.md`. */
  readonly written: readonly string[];
}

const REDIRECT = />{1,2}\s*["']?([^\s"'|;&<>()]+)/g;

function toSeen(call: SessionCall): Seen {
  const { tool, targetPath, command, inputSummary } = call;
  const line = tool === 'shell' ? (command ?? inputSummary ?? '') : '';
  return {
    isDone: hasWorked(call),
    path: tool === 'shell' ? undefined : targetPath,
    isChange: tool === 'edit' || tool === 'write',
    commands: parseCall(call),
    written: [...line.matchAll(REDIRECT)].map(([, file = '']) => file),
  };
}

function meets(target: Target, { path, isChange, commands, written }: Seen, toRegex: ToRegex): boolean {
  if ('command' in target)
    return commands.some((one) => runs(target.command, unwrapRunner(one)) || runs(target.command, one));
  const regex = new RegExp(toRegex(target.file));
  if (path !== undefined) return (isChange || target.isRead) && regex.test(path);
  if (written.some((file) => regex.test(file))) return true;
  return commands.some(
    (one) =>
      (target.isRead || changesFiles(one)) && one.args.some(({ value }) => !isOption(value) && regex.test(value)),
  );
}

/** Not programs that only show files; `sed -i` and `tee` write. */
function changesFiles(command: SimpleCommand): boolean {
  if (command.program === 'tee') return true;
  if (command.program === 'sed' || command.program === 'yq')
    return command.args.some(({ value }) => /^(?:-[a-zA-Z]*i|--in-?place)/.test(value));
  return !isLooking(command);
}

/** Values that vary (a version, a quoted message) and placeholders may differ. */
const ANY_VALUE = /[<>{}$…]|\.\.\.|^[\^~]?v?\d+(?:\.[\dxXyYzZ*]+)*|^v?[XxYyNn](?:\.[XxYyZzNn])+$|^[A-Z_]{3,}$/;

function runs(wanted: SimpleCommand, { program, args, text }: SimpleCommand): boolean {
  if (program !== wanted.program) return false;
  const firm = wanted.args.filter(({ value, text: typed }) => !/^["']/.test(typed) && !ANY_VALUE.test(value));
  const given = { program, args, text };
  return firm.every(({ value }) => hasWord(given, value) || args.some((one) => namesFile(one.value, value)));
}

/** `./scripts/build.ts` and `/repo/scripts/build.ts` name `scripts/build.ts`; a bare file name must match exactly. */
function namesFile(word: string, file: string): boolean {
  const plain = toPlainPath(file);
  return plain.includes('/') ? endsWithPath(word, plain) : toPlainPath(word) === plain;
}

export type ProcedureOutcome = 'clean' | 'ignored' | 'incomplete';

/** The verdict at the end of the session. `ignored` only if no item was tried, although calls were seen. */
export function judgeItems({ done, tried, open }: DeliveryItems, hasSeenCalls: boolean): ProcedureOutcome {
  if (open.length === 0) return 'clean';
  return done.length + tried.length === 0 && hasSeenCalls ? 'ignored' : 'incomplete';
}
