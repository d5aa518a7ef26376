/** The agents that load our program into their own process. */
import type { AgentProgram } from '../base/contracts/agent-program.ts';
import { opencodeProgram } from './opencode/program.ts';

export const PROGRAMS: readonly AgentProgram[] = [opencodeProgram];
