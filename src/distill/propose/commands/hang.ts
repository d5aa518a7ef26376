/**
 * A command that waited for somebody who was not there (a pager, a prompt, a watcher, a server in the foreground) until it
 * was stopped, and then the same command in a form that does not wait. What only ran long, or waited for the network, was
 * not mended by its form: a later success of the same line tells nothing.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { dropAbsent } from '../../../base/records.ts';
import { toCommandName, toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { classifyFailure, isMistake } from '../../episodes/classify-failure.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-finding.ts';
import { findTeachableEdit } from '../../episodes/teachable-edit.ts';
import { toExample, toSentence } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 6;
/** Of a longer line nobody knows which command it was that did not end. */
const MAX_COMMANDS = 4;

export const hang = makePairDetector({
  name: 'distill/hang@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  signals: ['error-fix-success', 'hang'],
  isCandidate: (call) => call.hung === true && call.command !== undefined && isMistake(classifyFailure(call)),
  findFix(failure) {
    if (failure.commands.length > MAX_COMMANDS) return undefined;
    // The last that does something is what the shell was waiting for.
    for (const stuck of failure.commands.toReversed()) {
      const toForm = (one: SimpleCommand, call: LiveCall) => findForm(stuck, failure.call, one, call);
      const later = findLater(failure, MAX_STEPS, (one, call) => toForm(one, call) !== undefined);
      const form = later && toForm(later.command, later.call);
      if (later === undefined || form === undefined) continue;
      const { words } = form;
      const points = { words: words ?? [], message: '' };
      const edit = words && findTeachableEdit({ failed: stuck, fixing: later.command, points });
      return {
        index: later.index,
        text: {
          summary: `\`${toShortCommand(stuck, 50)}\` does not end by itself here: ${form.how}`,
          mistake: `\`${toShortCommand(stuck, 200)}\` hung until it was stopped`,
          remediation: toSentence(form.how),
          tags: [`tool:${stuck.program}`, 'topic:hang'],
          ...dropAbsent({ edit }),
          example: toExample(stuck, later.command, 'it hung until it was stopped'),
        },
        triggers: form.triggers,
        signals: later.signals,
        // What hangs prints nothing, or what it always prints.
        said: `${toCommandName(stuck)} did not end by itself`,
      };
    }
    return undefined;
  },
});

interface Form {
  readonly how: string;
  readonly triggers: Triggers;
  /** The words of the command that make it end, or that kept it waiting. */
  readonly words?: readonly string[];
}

function findForm(stuck: SimpleCommand, was: LiveCall, later: SimpleCommand, is: LiveCall): Form | undefined {
  if (!isSameSubCommand(stuck, later) && listNew(stuck, later).join() !== 'run') return findRunner(stuck, later);
  if (!keepsThings(stuck, later)) return undefined;
  const form = findOtherWords(stuck, later);
  // The line that worked may run the stuck form, too, in the background.
  const isLeft = parseCall(is).some((one) => form?.triggers.programs?.some((program) => programHolds(program, one)));
  return (
    (isLeft ? undefined : form) ??
    findVariable(stuck, was, is) ??
    findAround(stuck, was, later, is) ??
    findBackground(stuck, was, is)
  );
}

/** Words by which a program waits for nobody, shows no pager, asks nothing, runs once. */
const UNATTENDED =
  /^(?:--no-pager|-P|-y|--yes|--assume-?yes|(?:--)?run|--once|--ci|--no-?watch|--watch=false|--watchAll=false|--no-?input|--non-?interactive|--batch|--no-?edit|--no-?tty|-T|--no-?prompt|--defaults?|--no-?follow|-d|--detach|--daemon|--headless|--exit|--no-?open|--fill|-b|-n1|-bn1|--no-?interactive|--quit|--eval|-e|-c|-m|--message)$/i;
/** Options by which it waits. */
const ATTENDED =
  /^(?:-i|-it|-ti|--interactive|--watch|--watchAll|-w|-f|--follow|--tail|--edit|-e|-p|--patch|--serve|--ui)$/;

function findOtherWords(stuck: SimpleCommand, later: SimpleCommand): Form | undefined {
  const gone = listNew(later, stuck).filter((word) => ATTENDED.test(word));
  if (gone.length > 0)
    return { words: gone, ...toForm(stuck, `leave out \`${gone.join(' ')}\``, { args: { any: gone } }) };
  const added = listNew(stuck, later).filter((word) => UNATTENDED.test(word));
  if (added.length === 0) return undefined;
  return { words: added, ...toForm(stuck, `use \`${added.join(' ')}\``, { args: { none: added } }) };
}

/** The words that only the second command has. */
function listNew(one: SimpleCommand, other: SimpleCommand): readonly string[] {
  const had = one.args.map(({ value }) => value);
  return other.args.map(({ value }) => value).filter((word) => word !== '--' && !had.includes(word));
}

/** Options that only say how much is printed. */
const PRINTING = /^(?:-q+|-v+|--quiet|--verbose|--silent)$/;

/**
 * The same program through another one, such as `python -m pytest` for `pytest`. Another file or another test would hang
 * as well, so the trigger is the bare program. A variable before it may make it end, too.
 */
function findRunner(stuck: SimpleCommand, later: SimpleCommand): Form | undefined {
  const inner = unwrapRunner(later);
  if (inner.program !== stuck.program || later.program === stuck.program || !keepsThings(stuck, inner))
    return undefined;
  const had = toOptions(stuck);
  const added = toOptions(inner).filter((option) => !had.includes(option) && !PRINTING.test(option));
  const before = later.args.slice(0, later.args.length - inner.args.length).map(({ value }) => value);
  const name = toLiteral(stuck.program);
  return toForm(stuck, `run it as \`${[later.program, ...before, ...added].join(' ')}\``, {
    unless: [`\\S\\s+-m\\s+${name}\\b`, `(?:^|[\\s;&|(])[A-Z_][A-Z0-9_]*=\\S*\\s+${name}\\b`],
  });
}

/** `CI=1 npm test`, `GIT_PAGER=cat git log`: a variable that the stuck line did not set. */
function findVariable(stuck: SimpleCommand, { command: was = '' }: LiveCall, { command: is = '' }: LiveCall) {
  const [set, name = ''] = /(?:^|(?<=[\s;&|(]))([A-Z_][A-Z0-9_]*)=[\w./-]+(?=\s)/.exec(is) ?? [];
  if (set === undefined || was.includes(`${name}=`)) return undefined;
  return toForm(stuck, `set \`${set}\``, { unless: [`(?:^|[\\s;&|(])${name}=\\S`] });
}

interface Around {
  readonly how: string;
  /** A regex of a trigger: it runs while an agent waits. */
  readonly source: string;
  /** It is about what the program was given: another test of the same runner may well end. */
  readonly isOfWords?: true;
  /** Where it mends something at all; everywhere where it says nothing. */
  readonly mends?: (stuck: SimpleCommand, later: SimpleCommand) => boolean;
}

/** What stands around a command so that it cannot wait. */
const AROUND: readonly Around[] = [
  // It was ended, and the line went on. One that came to its own end did not need it.
  {
    how: 'run it under `timeout`',
    source: '(?:^|[\\s;&|(])g?timeout\\s',
    isOfWords: true,
    mends: (_, later) => later.hidden === true,
  },
  { how: 'give it no input (`</dev/null`)', source: '<\\s*/dev/null' },
  { how: 'answer it with `yes |`', source: '(?:^|[\\s;&(])yes\\b[^|]*\\|' },
  { how: 'start it in the background (`&`)', source: '[^&>|]&\\s*(?:$|[^&>\\s])', isOfWords: true },
  // A slow command is as slow in a pipe; a pager is not started.
  {
    how: 'pipe its output',
    source: '\\|\\s*(?:cat|head|tail)\\b',
    mends: (stuck) => isLooking(stuck) || isKnownAs(stuck.program, 'pages'),
  },
];
const MAX_GIVEN = 6;

function findAround(stuck: SimpleCommand, was: LiveCall, later: SimpleCommand, is: LiveCall): Form | undefined {
  const around = AROUND.find(({ source, mends = () => true }) => {
    const pattern = new RegExp(source);
    return !pattern.test(was.command ?? '') && pattern.test(is.command ?? '') && mends(stuck, later);
  });
  if (around === undefined) return undefined;
  const all = around.isOfWords ? [...toOptions(stuck), ...toOperands(stuck)].slice(0, MAX_GIVEN) : [];
  return toForm(stuck, around.how, { unless: [around.source], ...(all.length === 0 ? {} : { args: { all } }) });
}

/** The agent's own way to leave something running: the line is the same, the input is not. */
function findBackground(stuck: SimpleCommand, was: LiveCall, is: LiveCall): Form | undefined {
  if (is.outcomeType !== 'background' || was.outcomeType === 'background') return undefined;
  const { how, triggers } = toForm(stuck, 'start it in the background', {});
  return { how, triggers: { ...triggers, input: { unless: ['"(?:run_in_background|is_background)":\\s*true'] } } };
}

interface Condition extends Pick<ProgramTrigger, 'args'> {
  /** What the line must not have. */
  readonly unless?: readonly string[];
}

function toForm(stuck: SimpleCommand, how: string, { unless, ...args }: Condition): Form {
  const triggers = { tools: ['shell'], programs: [{ ...toProgramTrigger(stuck), ...args }] } as const;
  return { how, triggers: unless === undefined ? triggers : { ...triggers, line: { unless } } };
}

/** The same on the same things: whatever was left out may have been what took so long. */
function keepsThings(stuck: SimpleCommand, later: SimpleCommand): boolean {
  const has = toOperands(later);
  return toOperands(stuck).every((word) => has.includes(word));
}
