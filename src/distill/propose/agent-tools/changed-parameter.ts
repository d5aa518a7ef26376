/**
 * A tool that took the same work once a parameter was changed: a command that had to leave the sandbox, an id of the
 * wrong kind, a parameter that the tool does not have. The two calls are alike in everything else, so that the one
 * difference is the cure.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toCommandName, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { findObjectKind, maskObjects } from '../../../base/shell/object-kind.ts';
import { isDoing } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { isVerdict } from '../../episodes/is-verdict.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';
import { toSentence } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { type ChangedParameter, findChangedParameter } from './find-changed-parameter.ts';
import { toParameterPattern } from './to-parameter-pattern.ts';

const MAX_STEPS = 8;

export const changedParameter = makePairDetector({
  name: 'distill/changed-parameter@1',
  kind: 'wrong-tool-use',
  maxSteps: MAX_STEPS,
  isTrouble: ({ outcome, output, masked }) =>
    outcome === 'failure' && output !== undefined && !masked && !isVerdict(output),
  findCure(trouble) {
    const { call, calls, index, commands } = trouble;
    for (let at = index + 1; at <= index + MAX_STEPS && at < calls.length; at++) {
      const later = calls[at];
      if (later === undefined || later.rawTool !== call.rawTool || !isAlike(call, later)) continue;
      if (later.outcome !== 'success' && later.outcome !== 'partial') continue;
      const changed = findChangedParameter(call, later);
      const triggers = changed === undefined ? undefined : toTriggers(call, commands, changed);
      if (changed === undefined || triggers === undefined) return undefined;
      const text = toText(trouble, changed);
      return { index: at, text, triggers, intentKey: toSubject(trouble, changed), signals: ['fix-confirmed'] };
    }
    return undefined;
  },
});

/** The same command to the letter; of other tools the parameters tell. */
function isAlike(call: LiveCall, later: LiveCall): boolean {
  return call.tool !== 'shell' || (call.command !== undefined && call.command === later.command);
}

function toTriggers(
  { tool }: LiveCall,
  commands: readonly SimpleCommand[],
  changed: ChangedParameter,
): Triggers | undefined {
  const input = toParameterPattern(changed);
  if (tool !== 'shell') return { tools: [tool], input };
  const doing = findDoing(commands);
  return doing === undefined ? undefined : { tools: [tool], programs: [toProgramTrigger(doing)], input };
}

/** Of a line that does several things nobody knows which one needed it. */
function findDoing(commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  const doing = commands.filter(isDoing);
  return doing.length === 1 ? doing[0] : undefined;
}

function toText({ call, commands, toLines }: Trouble, changed: ChangedParameter) {
  const doing = findDoing(commands);
  const what = doing === undefined ? call.rawTool : toCommandName(doing);
  const shown = doing === undefined ? call.rawTool : toShortCommand(doing, 120);
  const fix = toFix(changed);
  return {
    summary: `${toClaim(what, changed)}: ${fix}`,
    mistake: `\`${shown}\`${toGiven(changed)} failed: ${toShortChars(maskObjects(call.message ?? toLines()[0] ?? ''), 120)}`,
    remediation: toSentence(fix),
    // What a tool does not have, it has nowhere.
    tags: [
      ...(doing === undefined ? [] : [`tool:${doing.program}`]),
      changed.after === undefined ? 'topic:tool-schema' : 'topic:tool-parameter',
    ],
  };
}

function toClaim(what: string, { name, before, after }: ChangedParameter): string {
  if (before === undefined) return `\`${what}\` needs \`${name}\` here`;
  return after === undefined
    ? `\`${what}\` takes no \`${name}\``
    : `\`${what}\` does not take \`${name}: ${toShown(before)}\``;
}

function toFix({ name, before, after, instead }: ChangedParameter): string {
  if (after !== undefined && before !== undefined && toShown(after) === toShown(before))
    return `give it another \`${name}\``;
  if (after !== undefined) return `give it \`${name}: ${toShown(after)}\``;
  return instead === undefined ? `leave out \`${name}\`` : `give it as \`${instead}\``;
}

/** A value that could be one of the tool's own stands as it is; any other is told by its kind. */
function toShown(value: string): string {
  const kind = value === '…' ? undefined : findObjectKind({ value, text: value });
  return kind === undefined || /^[a-z]+(?:_[a-z]+)*$/.test(value) ? value : `<${kind}>`;
}

function toGiven({ name, before }: ChangedParameter): string {
  return before === undefined ? ` without \`${name}\`` : ` with \`${name}: ${toShown(before)}\``;
}

function toSubject({ call, commands }: Trouble, { name }: ChangedParameter): string {
  const doing = findDoing(commands);
  return `${doing === undefined ? call.rawTool.replace(/^mcp__/, '') : toCommandName(doing)} ${name}`;
}
