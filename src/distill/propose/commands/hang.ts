/**
 * A command that waited for somebody who was not there (a pager, a prompt, a watcher, a server in the foreground) until it
 * was stopped, and then the same command in a form that does not wait. What only ran long, or waited for the network, was
 * not mended by its form: a later success of the same line tells nothing.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import type { CommandEdit } from '../../../base/shell/command-edit.ts';
import { toCommandName, toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../../base/shell/intent.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption } from '../../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
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
  isCandidate: (call) => call.hung === true && call.command !== undefined,
  findFix(failure) {
    if (failure.commands.length > MAX_COMMANDS) return undefined;
    // The last that does something is what the shell was waiting for.
    for (const stuck of failure.commands.toReversed()) {
      const later = findLater(
        failure,
        MAX_STEPS,
        (one, call) => findForm(stuck, failure.call, one, call) !== undefined,
      );
      const form = later === undefined ? undefined : findForm(stuck, failure.call, later.command, later.call);
      if (later === undefined || form === undefined) continue;
      const name = toCommandName(stuck);
      return {
        index: later.index,
        text: {
          summary: `\`${toShortCommand(stuck, 50)}\` does not end by itself here: ${form.how}`,
          mistake: `\`${toShortCommand(stuck, 200)}\` hung until it was stopped`,
          remediation: toSentence(form.how),
          tags: [`tool:${stuck.program}`, 'topic:hang'],
          ...(form.edit === undefined ? {} : { edit: form.edit }),
          example: toExample(stuck, later.command, 'it hung until it was stopped'),
        },
        triggers: form.triggers,
        signals: later.signals,
        // What hangs prints nothing, or what it always prints.
        said: `${name} did not end by itself`,
      };
    }
    return undefined;
  },
});

interface Form {
  readonly how: string;
  readonly edit?: CommandEdit;
  readonly triggers: Triggers;
}

function findForm(stuck: SimpleCommand, was: LiveCall, later: SimpleCommand, is: LiveCall): Form | undefined {
  if (!isSameSubCommand(stuck, later) && !isOneRun(stuck, later)) return findRunner(stuck, later);
  const form = findGone(stuck, later) ?? findAdded(stuck, later);
  // The line that worked may run the stuck form, too, in the background.
  const isLeft = parseCall(is).some((one) => form?.triggers.programs?.some((program) => programHolds(program, one)));
  return (
    (isLeft ? undefined : form) ??
    findAround(stuck, was.command ?? '', later, is.command ?? '') ??
    findBackground(stuck, later, was, is)
  );
}

/** Options by which a program waits for nobody, shows no pager, asks nothing, runs once. */
const UNATTENDED =
  /^(?:--no-pager|-P|-y|--yes|--assume-?yes|--run|--once|--ci|--no-?watch|--watch=false|--watchAll=false|--no-?input|--non-?interactive|--batch|--no-?edit|--no-?tty|-T|--no-?prompt|--defaults?|--no-?follow|-d|--detach|--daemon|--headless|--exit|--no-?open|--fill|-b|-n1|-bn1|--no-?interactive|--quit|--eval|-e|-c|-m|--message)$/i;
/** Options by which it waits. */
const ATTENDED =
  /^(?:-i|-it|-ti|--interactive|--watch|--watchAll|-w|-f|--follow|--tail|--edit|-e|-p|--patch|--serve|--ui)$/;

function findAdded(stuck: SimpleCommand, later: SimpleCommand): Form | undefined {
  const had = toWords(stuck);
  const added = toWords(later).filter((word) => !had.includes(word) && UNATTENDED.test(word));
  if (added.length === 0 || !keepsRest(stuck, later)) return undefined;
  return toForm(stuck, later, added, { none: added });
}

/** Options that only say how much is printed. */
const PRINTING = /^(?:-q+|-v+|--quiet|--verbose|--silent)$/;

/**
 * The same program through another one, such as `python -m pytest` for `pytest`. Another file or another test would hang
 * as well, so the trigger is the bare program. A variable before it may make it end, too.
 */
function findRunner(stuck: SimpleCommand, later: SimpleCommand): Form | undefined {
  const inner = unwrapRunner(later);
  if (inner.program !== stuck.program || later.program === stuck.program || !keepsRest(stuck, inner)) return undefined;
  const had = toOptions(stuck);
  const added = toOptions(inner).filter((option) => !had.includes(option) && !PRINTING.test(option));
  const runner = [
    later.program,
    ...later.args.slice(0, later.args.length - inner.args.length).map(({ value }) => value),
  ];
  const name = toLiteral(stuck.program);
  return {
    how: `run it as \`${[...runner, ...added].join(' ')}\``,
    triggers: {
      tools: ['shell'],
      programs: [toProgramTrigger(stuck)],
      line: { unless: [`\\S\\s+-m\\s+${name}\\b`, `(?:^|[\\s;&|(])[A-Z_][A-Z0-9_]*=\\S*\\s+${name}\\b`] },
    },
  };
}

/** `vitest` and `vitest run`: the one watches, the other ends. */
function isOneRun(stuck: SimpleCommand, later: SimpleCommand): boolean {
  return (
    stuck.program === later.program &&
    toPlain(later)
      .filter((word) => !toPlain(stuck).includes(word))
      .join() === 'run'
  );
}

function toPlain({ args }: SimpleCommand): readonly string[] {
  return args.map(({ value }) => value).filter((word) => !isOption(word));
}

function findGone(stuck: SimpleCommand, later: SimpleCommand): Form | undefined {
  if (isOneRun(stuck, later)) return toForm(stuck, later, ['run'], { none: ['run'] });
  const has = toOptions(later);
  const gone = toOptions(stuck).filter((option) => !has.includes(option) && ATTENDED.test(option));
  if (gone.length === 0 || !keepsRest(stuck, later)) return undefined;
  const how = `leave out \`${gone.join(' ')}\``;
  return { ...toForm(stuck, later, gone, { any: gone }), how };
}

function toForm(stuck: SimpleCommand, later: SimpleCommand, words: readonly string[], args: object): Form {
  return {
    how: `use \`${words.join(' ')}\``,
    ...toFormEdit(stuck, later, words),
    triggers: { tools: ['shell'], programs: [{ ...toProgramTrigger(stuck), args }] },
  };
}

function toFormEdit(stuck: SimpleCommand, later: SimpleCommand, words: readonly string[]): Pick<Form, 'edit'> {
  const edit = findTeachableEdit({ failed: stuck, fixing: later, points: { words, message: '' } });
  return edit === undefined ? {} : { edit };
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

const MAX_GIVEN = 6;

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
  { how: 'set `CI=1`', source: '(?:^|\\s)CI=[1t]' },
  { how: 'set the pager to `cat`', source: '(?:^|\\s)[A-Z_]*PAGER=\\S*' },
  { how: 'set an editor that ends by itself', source: '(?:^|\\s)(?:GIT_)?(?:SEQUENCE_)?EDITOR=\\S+' },
  { how: 'set `DEBIAN_FRONTEND=noninteractive`', source: 'DEBIAN_FRONTEND=noninteractive' },
  { how: 'start it in the background (`&`)', source: '[^&>|]&\\s*(?:$|[^&>\\s])', isOfWords: true },
  // A slow command is as slow in a pipe; a pager is not started.
  {
    how: 'pipe its output',
    source: '\\|\\s*(?:cat|head|tail)\\b',
    mends: (stuck) => isLooking(stuck) || isKnownAs(stuck.program, 'pages'),
  },
];

function findAround(stuck: SimpleCommand, was: string, later: SimpleCommand, is: string): Form | undefined {
  const around = AROUND.find(
    ({ source, mends = () => true }) =>
      !new RegExp(source).test(was) && new RegExp(source).test(is) && mends(stuck, later),
  );
  if (around === undefined || !keepsRest(stuck, later)) return undefined;
  return {
    how: around.how,
    triggers: {
      tools: ['shell'],
      programs: [{ ...toProgramTrigger(stuck), ...(around.isOfWords ? toGiven(stuck) : {}) }],
      line: { unless: [around.source] },
    },
  };
}

function toGiven(stuck: SimpleCommand): { readonly args?: { readonly all: readonly string[] } } {
  const all = [...toOptions(stuck), ...toOperands(stuck)].slice(0, MAX_GIVEN);
  return all.length === 0 ? {} : { args: { all } };
}

/** The agent's own way to leave something running: the line is the same, the input is not. */
function findBackground(stuck: SimpleCommand, later: SimpleCommand, was: LiveCall, is: LiveCall): Form | undefined {
  const isStarted = is.outcomeType === 'background' && was.outcomeType !== 'background';
  if (!isStarted || !keepsRest(stuck, later)) return undefined;
  return {
    how: 'start it in the background',
    triggers: {
      tools: ['shell'],
      programs: [toProgramTrigger(stuck)],
      input: { unless: ['"(?:run_in_background|is_background)":\\s*true'] },
    },
  };
}

function toWords({ args }: SimpleCommand): readonly string[] {
  return args.map(({ value }) => value).filter((word) => word !== '--');
}

/** The same on the same things: whatever was left out may have been what took so long. */
function keepsRest(stuck: SimpleCommand, later: SimpleCommand): boolean {
  const has = toOperands(later);
  return toOperands(stuck).every((word) => has.includes(word));
}
