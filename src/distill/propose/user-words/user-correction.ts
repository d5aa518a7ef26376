/**
 * Corrected by the user in words: a command, a prompt that says what was wrong with it, and a later command that differs
 * from the first in the way the words say. Without that link there is no finding. Only the main conversation counts: in a
 * sub-agent the prompts are another agent's. What comes out waits for a person.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import type { Finding } from '../../../base/model/finding.ts';
import type { ToolName } from '../../../base/model/tool.ts';
import { toCommandName, toOperands } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { endsWithPath } from '../../../base/text/paths.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { toLineSignature } from '../../../base/text/signature.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import type { Detector, SessionWindow, Spoken } from '../../detector.ts';
import { makeFinding } from '../../episodes/make-finding.ts';
import { USER_RULE } from '../../lessons/same-rule.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { findCorrection } from './find-correction.ts';
import { type Correction, parseCorrections } from './parse-corrections.ts';
import { findShown, findStated, USER_WORDS } from './stated-rule.ts';

/** Users speak of what they just saw. */
const MAX_BEFORE = 6;
const MAX_AFTER = 8;
const MAX_WORDS_CHARS = 120;

export const userCorrection: Detector = {
  name: USER_WORDS,
  detect(window) {
    const prompts = window.spoken.filter(({ kind, contextId }) => kind === 'prompted' && contextId === '');
    if (prompts.length === 0) return [];
    const places = prompts.map(({ afterCallId }) => window.calls.findIndex(({ callId }) => callId === afterCallId));
    return prompts.flatMap((prompt, i) => {
      const at = places[i] ?? -1;
      const stated = { prompt, at, start: places[i - 1] ?? -1 };
      const isNew = window.spoken.indexOf(prompt) >= window.spokenFrom;
      const found = findStated(stated, window, isNew);
      if (found !== undefined) return found;
      const next = places.find((place, j) => j > i && place > at) ?? window.calls.length - 1;
      const end = Math.min(at + MAX_AFTER, next);
      if (at < 0 || end < window.from) return [];
      const shown = findShown(stated, window, end);
      if (shown.length > 0) return shown;
      const turn = { window, at, start: Math.max(0, at - MAX_BEFORE + 1), end };
      const seen = toCorrections(prompt, window.calls[at]).flatMap((correction) => findPair(correction, turn) ?? []);
      return seen.slice(0, 1).flatMap((pair) => toFinding(pair) ?? []);
    });
  },
};

interface Turn {
  readonly window: SessionWindow;
  /** Of the last call before the words. */
  readonly at: number;
  readonly start: number;
  /** Of the last call that still answers them. */
  readonly end: number;
}

interface Pair {
  readonly correction: Correction;
  readonly corrected: LiveCall;
  readonly fixing: LiveCall;
  readonly steps: number;
  readonly command: SimpleCommand;
  readonly trigger: ProgramTrigger;
  /** What was done instead. */
  readonly instead: string;
}

/** The same words are in the next window again. */
const parsed = new WeakMap<Spoken, readonly Correction[]>();

function toCorrections(prompt: Spoken, last: LiveCall | undefined): readonly Correction[] {
  const corrections = parsed.get(prompt) ?? parseCorrections(prompt.text, isStopped(last));
  parsed.set(prompt, corrections);
  return corrections;
}

/** The user took the call out of the agent's hand, and then spoke. */
function isStopped(call: LiveCall | undefined): boolean {
  return call?.outcomeType === 'interrupt' || (call?.outcomeType === 'user-refusal' && call.message === undefined);
}

/** The latest command that the words are about, and the first after them that does as they say. */
function findPair(correction: Correction, turn: Turn): Pair | undefined {
  const { window, at, start, end } = turn;
  for (let i = at; i >= start; i--) {
    for (let j = at + 1; j <= end; j++) {
      const [corrected, fixing] = [window.calls[i], window.calls[j]];
      if (corrected === undefined || fixing === undefined || !isSpokenOf(corrected) || !hasWorked(fixing)) continue;
      const link = findLink(correction, corrected, fixing);
      // One that is not new was told with an earlier window.
      if (link !== undefined)
        return j < window.from ? undefined : { correction, corrected, fixing, steps: j - i, ...link };
    }
  }
  return undefined;
}

function findLink(correction: Correction, corrected: LiveCall, fixing: LiveCall) {
  const commands = parseCall(corrected).toReversed();
  if (fixing.tool !== 'shell') return findToolSwap(correction, commands, fixing);
  const later = parseCall(fixing);
  for (const command of commands) {
    for (const other of later) {
      const trigger = findCorrection(correction, command, other);
      // The corrected way is still there, beside the other.
      if (trigger === undefined || later.some((one) => programHolds(trigger, one))) continue;
      return { command, trigger, instead: `\`${toShortCommand(other, 120)}\`` };
    }
  }
  return undefined;
}

/** What was refused with words has a detector of its own, and what we held back nobody else minded. */
function isSpokenOf({ tool, command, outcome, outcomeType, message }: LiveCall): boolean {
  if (outcome === 'denied' && (message !== undefined || outcomeType === 'own-refusal')) return false;
  return tool === 'shell' && command !== undefined;
}

function toFinding({ correction, corrected, fixing, steps, command, trigger, instead }: Pair): Finding | undefined {
  const words = toWords(correction.words);
  return makeFinding({
    ...{ detector: USER_WORDS, kind: 'corrected-by-user' as const, fixing, steps, intentKey: toCommandName(command) },
    // What went wrong is what the user said, whatever the program printed.
    failing: { ...corrected, signature: toLineSignature(command.program, words) },
    text: {
      summary: `The user corrected \`${toShortCommand(command, 60)}\`: "${words}"`,
      mistake: `\`${toShortCommand(command, 200)}\` was corrected by the user`,
      remediation: `Use ${instead} (the user said: "${words}")`,
      tags: [`tool:${command.program}`, USER_RULE],
    },
    triggers: { tools: ['shell'], programs: [trigger] },
    signals: correction.isRule ? ['user-corrected', 'stated-lesson'] : ['user-corrected'],
  });
}

/** Links are about the case at hand. */
function toWords(said: string): string {
  const words = said.replaceAll(/https?:\/\/\S+/g, '…').replaceAll(/\s+/g, ' ');
  return toShortChars(words, MAX_WORDS_CHARS);
}

const TOOLS: Readonly<Record<string, ToolName>> = {
  read: 'read',
  edit: 'edit',
  write: 'write',
  grep: 'grep',
  search: 'grep',
  glob: 'glob',
};

interface ToolSwap {
  readonly command: SimpleCommand;
  readonly trigger: ProgramTrigger;
  readonly instead: string;
}

/** "Use the edit tool, not sed": a shell command, and a tool of the agent that did the same to the same file. */
function findToolSwap(
  { wanted, unwanted }: Correction,
  commands: readonly SimpleCommand[],
  { tool, targetPath }: LiveCall,
): ToolSwap | undefined {
  const isAsked = wanted.some(
    ([name = '', what = '']) =>
      /^tools?$/i.test(what) && Object.hasOwn(TOOLS, name.toLowerCase()) && isTool(name, tool),
  );
  const command = commands.find(
    (one) => one.piped !== true && unwanted.some(([name]) => name === one.program) && namesFile(one, targetPath),
  );
  if (!isAsked || command === undefined) return undefined;
  return { command, trigger: { name: command.program }, instead: `the ${tool} tool` };
}

function isTool(name: string, tool: ToolName): boolean {
  return TOOLS[name.toLowerCase()] === tool;
}

/** A search has no file of its own. */
function namesFile(command: SimpleCommand, targetPath: string | undefined): boolean {
  return (
    targetPath === undefined || toOperands(command).some((word) => word.length > 2 && endsWithPath(targetPath, word))
  );
}
