/**
 * Cursor as a guest, from the code of its hook engine (`@cursor/sdk` 1.0.32), not from a recording. It runs Claude's
 * user, project and local settings and Claude's plugins. It sends no failure event there, so timeouts and refusals stay
 * unknown without hooks in Cursor's own settings.
 */

import type { Guest } from '../claude-code/guest.ts';
import { CALL_FACTS, findFolder, findHookResult, findSubagent } from './calls.ts';
import { facts } from './facts.ts';
import { cursor as own } from './hooks.ts';

export const cursor: Guest = {
  facts,
  ...CALL_FACTS,
  findSubagent,
  findFolder,
  findResult: findHookResult,
  writeHook: own.writeHook,
  // Cursor logs an empty output as a failed hook.
  silence: '{}',
};
