/** A detector that looks at one failed call at a time, and for the later call of the same context that was the cure. */
import type { LiveCall } from '../../base/model/call.ts';
import type { EpisodeKind, Finding, Signal } from '../../base/model/finding.ts';
import { dropAbsent } from '../../base/records.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { signCallLine, toFailedCall } from '../../base/text/signature.ts';
import { stripAnsi } from '../../base/text/strip-ansi.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import type { Detector } from '../detector.ts';
import type { LessonText } from '../text/edit-text.ts';
import { makeFinding } from './make-finding.ts';

const MAX_LINES = 120;
const MAX_LINE_CHARS = 300;

export interface Trouble {
  readonly calls: readonly LiveCall[];
  readonly index: number;
  readonly call: LiveCall;
  /** What the failed call ran. */
  readonly commands: readonly SimpleCommand[];
  /** What it said, without colours, a line each. */
  readonly toLines: () => readonly string[];
  /** What any call of the window ran. */
  readonly commandsOf: (index: number) => readonly SimpleCommand[];
}

export interface Cure {
  /** The index of the fixing call. */
  readonly index: number;
  readonly text: LessonText;
  readonly triggers: Triggers;
  /** Default: the program and sub-command of the first trigger. */
  readonly intentKey?: string;
  /** Why a person has to look at it first. */
  readonly caution?: string;
  /** Why no lesson comes of it. */
  readonly episodeOnly?: string;
  /** Of a later call that proved it: the finding is new when that one has come. */
  readonly provenAt?: number;
  /** Added to the signals of the rule. */
  readonly signals?: readonly Signal[];
  /** What went wrong, where the call itself said nothing. */
  readonly said?: string;
}

interface PairRule {
  readonly name: string;
  readonly kind: EpisodeKind;
  /** The cure is at most this many calls after the failure. */
  readonly maxSteps: number;
  /** The calls to look at. Default: failed shell commands. */
  readonly isTrouble?: (call: LiveCall) => boolean;
  readonly scope?: Finding['scope'];
  /** Signals of all its findings. Default: an error, a fix and a success. */
  readonly signals?: readonly Signal[];
  readonly findCure: (trouble: Trouble) => Cure | undefined;
}

export function makePairDetector(rule: PairRule): Detector {
  const { name, maxSteps, isTrouble = isFailedCommand, findCure } = rule;
  return {
    name,
    detect({ calls, from }) {
      const commandsOf = (index: number): readonly SimpleCommand[] => toCommands(calls[index]);
      const found: (Finding | undefined)[] = [];
      // An earlier failure has no new cure. This is a loop because every detector runs it for every window.
      for (let index = Math.max(0, from - maxSteps); index < calls.length; index++) {
        const call = calls[index];
        if (call === undefined || !isTrouble(call)) continue;
        const toLines = (): readonly string[] => toShortLines(call);
        const cure = findCure({ calls, index, call, commands: commandsOf(index), toLines, commandsOf });
        const fixing = cure === undefined ? undefined : calls[cure.index];
        if (cure === undefined || fixing === undefined || cure.index - index > maxSteps) continue;
        if ((cure.provenAt ?? cure.index) < from) continue;
        found.push(toFinding(rule, { call, fixing, steps: cure.index - index }, cure));
      }
      return found.filter((finding) => finding !== undefined);
    },
  };
}

interface Pair {
  readonly call: LiveCall;
  readonly fixing: LiveCall;
  readonly steps: number;
}

function toFinding(rule: PairRule, { call, fixing, steps }: Pair, cure: Cure): Finding | undefined {
  const { name: detector, kind, scope, signals: always = ['error-fix-success'] } = rule;
  const { text, triggers, signals = [], said, caution, episodeOnly } = cure;
  const { name = '', sub = [] } = triggers.programs?.[0] ?? {};
  const { intentKey = [name, ...sub].join(' ') } = cure;
  const failing = said === undefined ? call : { ...call, signature: signCallLine(toFailedCall(call), said) };
  const finding = makeFinding({
    ...{ detector, kind, failing, fixing, steps, text, triggers, intentKey, scope },
    signals: [...new Set<Signal>([...always, ...signals])],
  });
  if (finding === undefined) return undefined;
  return {
    ...finding,
    ...dropAbsent({ caution, episodeOnly }),
  };
}

export function isFailedCommand({ tool, outcome, command, output }: LiveCall): boolean {
  return tool === 'shell' && outcome === 'failure' && command !== undefined && output !== undefined;
}

/** Every detector asks the same of the same calls, and the next window has most of them again. */
const parsed = new WeakMap<LiveCall, readonly SimpleCommand[]>();
const split = new WeakMap<LiveCall, readonly string[]>();

function toCommands(call: LiveCall | undefined): readonly SimpleCommand[] {
  if (call === undefined) return [];
  const before = parsed.get(call);
  if (before !== undefined) return before;
  const commands = parseCall(call);
  parsed.set(call, commands);
  return commands;
}

function toShortLines(call: LiveCall): readonly string[] {
  const before = split.get(call);
  if (before !== undefined) return before;
  const lines = splitOutput(call.output ?? '');
  split.set(call, lines);
  return lines;
}

/** Each line once: logs repeat themselves, and a line that is read again tells nothing new. */
function splitOutput(output: string): readonly string[] {
  const lines = stripAnsi(output)
    .split('\n', MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= MAX_LINE_CHARS);
  return [...new Set(lines)];
}
