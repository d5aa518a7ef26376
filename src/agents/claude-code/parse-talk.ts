/** What was said last, from the end of a transcript: prompts, the agent's words, and the command or skill it follows. */
import type { Talk } from '../../base/talk.ts';
import { cutText } from '../cut-text.ts';
import { parseLine } from '../parse-line.ts';
import { findText, findWire, toWires } from '../wire.ts';
import { isRowWire, type RowWire } from './claude-wire.ts';
import { findCommand, isCommandOutput } from './find-command.ts';
import { findPrompt } from './find-prompt.ts';
import { isHumanPrompt } from './is-human-prompt.ts';
import { mayTell } from './row-kinds.ts';

/** The name of the model where Claude Code itself answers. */
const NO_MODEL = '<synthetic>';
/** These stand in rows of results and calls; inside a text their quotes are escaped. */
const RESULT = '"tool_use_id":';
const CALL = '"type":"tool_use"';
/** What a row with a call tells beside it. */
const OF_USE = ['"name":"Skill"', '"type":"text"', '"attributionSkill":'];
const REMINDER = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

interface Said {
  /** One message may be told in several rows. */
  readonly id?: string | undefined;
  readonly text: string;
}

interface Noted {
  readonly said: readonly Said[];
  readonly workflow?: string | undefined;
  /** What was noted before the last row, if that was a command: its output, right behind it, makes it none to follow. */
  readonly before?: Noted;
}

export function parseTalk(tail: string, contextId: string): Talk {
  const { said, workflow } = listRows(tail)
    .filter((row) => isHere(row, contextId))
    .reduce(withRow, { said: [] });
  return { messages: said.map(({ text }) => cutText(text)), ...(workflow === undefined ? {} : { workflow }) };
}

function listRows(tail: string): readonly RowWire[] {
  const lines = tail.split('\n').filter((line) => line !== '' && mayTell(line) && mayBeSaid(line));
  return lines.flatMap((line) => parseLine(line).rows.filter(isRowWire));
}

/** Most of a transcript's bytes are results and calls. */
function mayBeSaid(line: string): boolean {
  if (line.includes(RESULT)) return false;
  return !line.includes(CALL) || OF_USE.some((word) => line.includes(word));
}

function withRow({ before, ...noted }: Noted, row: RowWire): Noted {
  if (row.type === 'assistant') return withAnswer(noted, row);
  const turn = row.type === 'user' || row.type === 'attachment' ? toTurn(row) : '';
  if (isCommandOutput(turn)) return before ?? noted;
  const command = findCommand(turn);
  if (command !== undefined) return { said: [...noted.said, command], workflow: command.name, before: noted };
  return isHumanPrompt(turn) ? { ...noted, said: [...noted.said, { text: turn }] } : noted;
}

/** Old builds wrote what sub-agents say into the main file. */
function isHere(row: RowWire, contextId: string): boolean {
  return contextId === '' ? row.isSidechain !== true : (findText(row, 'agentId') ?? contextId) === contextId;
}

/** What stands in the user's name and is not marked as the harness's own; a sub-agent's task stands there too. */
function toTurn(row: RowWire): string {
  if (row.type === 'attachment') return findPrompt(row) ?? '';
  const origin = findWire(row, 'origin');
  if (row.isMeta === true || row.isCompactSummary === true || row.toolUseResult !== undefined) return '';
  if (origin !== undefined && origin.kind !== 'human') return '';
  const content = findWire(row, 'message')?.content;
  if (typeof content === 'string') return dropReminders(content);
  const blocks = toWires(content).map((block) => dropReminders(findText(block, 'text') ?? ''));
  // A block of its own is often a reminder or a file that was opened, before or behind what was typed.
  const typed = blocks.filter(
    (text) => isHumanPrompt(text) || findCommand(text) !== undefined || isCommandOutput(text),
  );
  return typed.join('\n');
}

function dropReminders(text: string): string {
  return text.includes('<system-reminder>') ? text.replace(REMINDER, '').trim() : text;
}

function withAnswer({ said, workflow }: Noted, row: RowWire): Noted {
  const message = findWire(row, 'message') ?? {};
  if (row.isApiErrorMessage === true || message.model === NO_MODEL) return { said, workflow };
  const blocks = toWires(message.content);
  const text = blocks.flatMap((block) => (block.type === 'text' ? (findText(block, 'text') ?? []) : [])).join('\n');
  const called = blocks.findLast(({ type, name }) => type === 'tool_use' && name === 'Skill');
  const input = called === undefined ? undefined : findWire(called, 'input');
  const skill = input && (findText(input, 'skill') ?? findText(input, 'command'))?.replace(/^\//, '');
  return {
    said: text.trim() === '' ? said : withWords(said, { id: findText(message, 'id'), text }),
    workflow: skill ?? findText(row, 'attributionSkill') ?? workflow,
  };
}

function withWords(said: readonly Said[], { id, text }: Said): readonly Said[] {
  const last = said.at(-1);
  if (id === undefined || last?.id !== id) return [...said, { id, text }];
  return [...said.slice(0, -1), { id, text: `${last.text}\n${text}` }];
}
