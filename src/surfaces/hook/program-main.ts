/**
 * Our program inside an agent's own process (`app/program.mjs`, loaded by way of `bin/program.mjs` and the file that
 * `install` writes). Whatever is wrong, the agent gets a plugin that does nothing.
 */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from '../../agents/in-process.ts';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import { openLine } from './open-line.ts';

const VERSION_FOLDER = dirname(fileURLToPath(import.meta.url));

export function open(agentId: string, input: unknown): object {
  const { env } = process;
  const program = PROGRAMS.find(({ facts }) => facts.id === agentId);
  if (program === undefined || env[CHILD_VARIABLE] === '1' || env.ONCEBITTEN_DISABLED === '1') return {};
  // `<data directory>/app/<version>`
  return program.open(input, openLine({ home: dirname(dirname(VERSION_FOLDER)), agentId, env }));
}
