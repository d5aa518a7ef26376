/**
 * Reads the last messages of a conversation from the end of its transcript: prompts, the agent's messages, and the
 * slash command or skill in use. Also finds the transcript of the conversation that makes a call, and recognizes rows
 * that contain a hook's text. Hooks name only the main transcript; a sub-agent's file is beside it.
 */

import type { Conversation } from '../../base/contracts/agent-adapter.ts';
import type { EventOf } from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import { findText, findWire, parseLine, toWires } from '../wire.ts';
import { findPrompt, isHumanPrompt } from './prompts.ts';
import { mayMatter } from './row-kinds.ts';
import { isRowWire, type RowWire } from './wire.ts';

/** The model's name if Claude Code itself answers, for example with an error of the service. */
export const NO_MODEL = '<synthetic>';
/** Keys in rows of results and calls; inside a text their quotes are escaped. */
const RESULT = '"tool_use_id":';
const CALL = '"type":"tool_use"';
/** Other content of a row with a call that we need. */
const OF_USE = ['"name":"Skill"', '"type":"text"', '"attributionSkill":'];
const REMINDER = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

interface Message {
  /** Several rows may contain parts of one message. */
  readonly id?: string | undefined;
  readonly text: string;
}

interface Noted {
  readonly texts: readonly Message[];
  readonly workflow?: string | undefined;
  /** The state before the last row, if that was a command: if its output follows, it is not a workflow to follow. */
  readonly before?: Noted;
}

export function parseConversation(tail: string, contextId: string): Conversation {
  const { texts, workflow } = listRows(tail)
    .filter((row) => isHere(row, contextId))
    .reduce(withRow, { texts: [] });
  return dropAbsent({ messages: texts.map(({ text }) => cutText(text)), workflow });
}

function listRows(tail: string): readonly RowWire[] {
  const lines = tail.split('\n').filter((line) => line !== '' && mayMatter(line) && mayBeMessage(line));
  return lines.flatMap((line) => parseLine(line).rows.filter(isRowWire));
}

/** Most bytes of a transcript are results and calls. */
function mayBeMessage(line: string): boolean {
  if (line.includes(RESULT)) return false;
  return !line.includes(CALL) || OF_USE.some((word) => line.includes(word));
}

function withRow({ before, ...noted }: Noted, row: RowWire): Noted {
  if (row.type === 'assistant') return withAnswer(noted, row);
  const turn = row.type === 'user' || row.type === 'attachment' ? toTurn(row) : '';
  if (isCommandOutput(turn)) return before ?? noted;
  const command = findCommand(turn);
  if (command !== undefined) return { texts: [...noted.texts, command], workflow: command.name, before: noted };
  return isHumanPrompt(turn) ? { ...noted, texts: [...noted.texts, { text: turn }] } : noted;
}

/** Old builds wrote the messages of sub-agents into the main file. */
function isHere(row: RowWire, contextId: string): boolean {
  return contextId === '' ? row.isSidechain !== true : (findText(row, 'agentId') ?? contextId) === contextId;
}

/** Text in the user's name that is not marked as Claude Code's own, including a sub-agent's task. */
function toTurn(row: RowWire): string {
  if (row.type === 'attachment') return findPrompt(row) ?? '';
  const origin = findWire(row, 'origin');
  if (row.isMeta === true || row.isCompactSummary === true || row.toolUseResult !== undefined) return '';
  if (origin !== undefined && origin.kind !== 'human') return '';
  const content = findWire(row, 'message')?.content;
  if (typeof content === 'string') return dropReminders(content);
  const blocks = toWires(content).map((block) => dropReminders(findText(block, 'text') ?? ''));
  // A separate block before or after the typed text is often a reminder or an opened file.
  const typed = blocks.filter(
    (text) => isHumanPrompt(text) || findCommand(text) !== undefined || isCommandOutput(text),
  );
  return typed.join('\n');
}

function dropReminders(text: string): string {
  return text.includes('<system-reminder>') ? text.replace(REMINDER, '').trim() : text;
}

function withAnswer({ texts, workflow }: Noted, row: RowWire): Noted {
  const message = findWire(row, 'message') ?? {};
  if (row.isApiErrorMessage === true || message.model === NO_MODEL) return { texts, workflow };
  const blocks = toWires(message.content);
  const text = blocks.flatMap((block) => (block.type === 'text' ? (findText(block, 'text') ?? []) : [])).join('\n');
  const called = blocks.findLast(({ type, name }) => type === 'tool_use' && name === 'Skill');
  const input = called === undefined ? undefined : findWire(called, 'input');
  const skill = input && (findText(input, 'skill') ?? findText(input, 'command'))?.replace(/^\//, '');
  return {
    texts: text.trim() === '' ? texts : withWords(texts, { id: findText(message, 'id'), text }),
    workflow: skill ?? findText(row, 'attributionSkill') ?? workflow,
  };
}

function withWords(messages: readonly Message[], { id, text }: Message): readonly Message[] {
  const last = messages.at(-1);
  if (id === undefined || last?.id !== id) return [...messages, { id, text }];
  return [...messages.slice(0, -1), { id, text: `${last.text}\n${text}` }];
}

/** The slash command of a user's turn: Claude Code writes it in tags, in either order. */
interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** As typed by the user. */
  readonly text: string;
}

const COMMAND_NAME = /<command-name>\s*\/?([^<\s]{1,200})\s*<\/command-name>/;
const COMMAND_ARGS = /<command-args>([\s\S]*)<\/command-args>/;
const COMMAND_START = /^\s*<command-(?:name|message|args)>/;
/** The output of a command that Claude Code runs itself (`/copy`), which is not a workflow. */
const COMMAND_OUTPUT = /^\s*<local-command-(?:stdout|stderr)>/;

function findCommand(text: string): SlashCommand | undefined {
  const name = COMMAND_START.test(text) ? COMMAND_NAME.exec(text)?.[1] : undefined;
  if (name === undefined) return undefined;
  return { name, text: `/${name} ${COMMAND_ARGS.exec(text)?.[1] ?? ''}`.trim() };
}

function isCommandOutput(text: string): boolean {
  return COMMAND_OUTPUT.test(text);
}

const MAIN_FILE = /\.jsonl$/;
const CONTEXT_ID = /^[\w-]{1,100}$/;

/** Some kinds of sub-agents have a folder of their own that no hook names, and then the file does not exist. */
export function findConversationFile({ transcriptPath, contextId }: EventOf<'call-started'>): string | undefined {
  if (transcriptPath === undefined || !MAIN_FILE.test(transcriptPath)) return undefined;
  if (contextId === '') return transcriptPath;
  return CONTEXT_ID.test(contextId)
    ? `${transcriptPath.replace(MAIN_FILE, '')}/subagents/agent-${contextId}.jsonl`
    : undefined;
}

/**
 * Rows of a transcript that contain a hook's text: attachments, and results of calls that a hook refused. Quotes inside
 * a text are escaped, so no output can look like the first kind; an output that begins like the second is not
 * recognized.
 */
const ATTACHED = '"type":"attachment"';
const REFUSED_BY_HOOK = /"content":"(?:Hook )?PreToolUse:\S+ (?:hook error|denied this tool)/;

export function isFromHook(line: string): boolean {
  return line.includes(ATTACHED) || REFUSED_BY_HOOK.test(line);
}
