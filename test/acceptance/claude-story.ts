/** What is asked of Claude Code to see every way a call can end, and the row that must come of each. */
import { join } from 'node:path';
import type { Script, Turn } from './rig.ts';

export const SKIP = ['--dangerously-skip-permissions'];
export const TOOLS = ['--tools', 'Bash,Read,Edit,Write,Glob,Grep,Agent'];
export const FILES = { 'hello.txt': 'hello\nworld\n' };

/** What is asked, and the rows: `tool outcome exit-code context`. */
export type Story = readonly (readonly [Turn, ...string[]])[];

const tool = (name: string, input: object) => ({ name, input });
export const bash = (command: string, more: object = {}) => tool('Bash', { command, description: 'x', ...more });
export const one = (...tools: ReturnType<typeof tool>[]): Turn => ({ text: 'go', tools });

export function makeStory(project: string): Story {
  const file = (name: string) => join(project, name);
  return [
    [one(bash('echo fine')), 'shell success - main'],
    [one(bash('echo before; exit 3')), 'shell failure 3 main'],
    [one(bash('grep nothing hello.txt')), 'shell success - main'],
    [one(tool('Read', { file_path: file('missing.txt') })), 'read failure - main'],
    [one(tool('Read', { file_path: file('hello.txt') })), 'read success - main'],
    [
      one(tool('Edit', { file_path: file('hello.txt'), old_string: 'NOT THERE', new_string: 'x' })),
      'edit failure - main',
    ],
    [
      one(tool('Edit', { file_path: file('hello.txt'), old_string: 'world', new_string: 'moon' })),
      'edit success - main',
    ],
    [one(tool('Write', { file_path: file('new.txt'), content: 'fresh\n' })), 'write success - main'],
    [one(tool('Glob', { pattern: '*.txt' })), 'glob success - main'],
    [one(tool('Grep', { pattern: 'moon' })), 'grep success - main'],
    [
      one(bash('sleep 0.3; echo slow'), bash('ls /nonexistent-place'), tool('Read', { file_path: file('hello.txt') })),
      'shell success - main',
      'shell failure 2 main',
      'read success - main',
    ],
    [one(tool('Read', { wrong: 1 })), 'read failure - main'],
    [one(tool('NoSuchTool', { a: 1 })), 'other failure - main'],
    [one(bash('sleep 5', { timeout: 1000 })), 'shell failure 143 main'],
    [one(bash('sleep 0.2; echo later', { run_in_background: true })), 'shell success - main'],
    [
      one(
        tool('Agent', {
          description: 'd',
          prompt: 'STORY-SUB go',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
      ),
      'shell success - sub',
      'shell failure 4 sub',
    ],
  ];
}

const SUB = {
  name: 'SUB',
  match: 'STORY-SUB',
  turns: [one(bash('echo from-sub')), one(bash('exit 4')), { text: 'done' }],
};

/** Answers the prompt `STORY-<name> …` with these turns. */
export function makeScript(name: string, turns: readonly Turn[]): Script {
  return { routes: [SUB, { name, match: `STORY-${name}`, turns: [...turns, { text: 'Done.' }] }] };
}
