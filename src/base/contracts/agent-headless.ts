/**
 * SEAM: one question to the language model behind a coding agent, through the agent's own program and login. An agent
 * only states, as data, how its program is called without a terminal and what its output means; `distill/models/` finds
 * the program, runs it in a fresh folder and ends it at the deadline. Pure: no file is read and no process started here.
 *
 * The run must not act: no hook, tool or server of the user may be within the model's reach, because the pack quotes
 * text from outside. It must not leave a session of the user's own behind where the agent allows that.
 */

import type { AgentFacts } from './agent-facts.ts';
import type { ModelAnswer, Question } from './language-model.ts';

/** Set to `1` for every agent that we start. Our hooks and our daemon look at it first and do nothing. */
export const CHILD_VARIABLE = 'ONCEBITTEN_CHILD';

export interface AgentHeadless {
  readonly facts: AgentFacts;
  /** The program on the PATH. */
  readonly program: string;
  /** Where installers put it, if the PATH of the daemon lacks that folder. `~` is the user's home. */
  readonly places: readonly string[];
  /** The version in which these facts were observed. */
  readonly seenVersion: string;
  /** How a user logs in, in words: `run claude and type /login`. */
  readonly login: string;
  /** Its server accepts a schema only if every field is required. */
  readonly needsAllFields?: true;
  /** Files in the agent's home whose text `toRun` needs. Missing ones are left out. */
  readonly reads?: readonly string[];
  /** Files in the working folder that the program writes and `parse` needs. */
  readonly writes?: readonly string[];
  /**
   * Arguments with which the program says whether it is logged in, and the words of its no. For an agent that tries for
   * minutes without a login. Absent or undefined: not asked.
   */
  toLoginCheck?(texts: Readonly<Record<string, string>>): LoginCheck | undefined;
  toRun(ask: HeadlessAsk): HeadlessRun;
  /** What the program leaves in the agent's home for a working folder of this name; removed after the run. */
  toLeftovers?(folderName: string): readonly string[];
  /** Never throws, whatever was printed. */
  parse(output: HeadlessOutput): ModelAnswer;
}

interface HeadlessAsk {
  readonly question: Question;
  /** The setting `models.model`; absent: the user's own choice in the agent. */
  readonly model?: string;
  readonly maxUsd?: number;
  /** The working folder of the program: empty but for `HeadlessRun.files`, and removed afterwards. */
  readonly folder: string;
  /** The text of the files in `AgentHeadless.reads`, by their name there. */
  readonly texts: Readonly<Record<string, string>>;
}

interface LoginCheck {
  readonly args: readonly string[];
  readonly no: RegExp;
}

interface HeadlessRun {
  readonly args: readonly string[];
  /** For standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables of a running session of the agent, by name; the program must not take itself for a part of it. */
  readonly drop?: RegExp;
  /** Path in the working folder -> text. */
  readonly files: Readonly<Record<string, string>>;
}

interface HeadlessOutput {
  /** Absent: ended by a signal. */
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The text of the files in `AgentHeadless.writes`. */
  readonly texts: Readonly<Record<string, string>>;
}
