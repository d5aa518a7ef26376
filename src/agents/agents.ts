/** The coding agents we know: one folder and one row each. The lists of `hooks.ts`, `installs.ts` and `histories.ts` say what we can do for them. */
import type { AgentFacts } from '../base/contracts/agent-facts.ts';
import { facts as claudeCode } from './claude-code/facts.ts';
import { facts as codex } from './codex/facts.ts';
import { facts as copilot } from './copilot/facts.ts';
import { facts as cursor } from './cursor/facts.ts';
import { facts as gemini } from './gemini/facts.ts';
import { facts as opencode } from './opencode/facts.ts';
import { facts as vscode } from './vscode/facts.ts';

export const AGENTS: readonly AgentFacts[] = [claudeCode, codex, opencode, gemini, copilot, cursor, vscode];
