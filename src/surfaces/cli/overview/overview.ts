/** `oncebitten` without a command: what is there, in a few lines, and the next step. It changes nothing. */

import { homedir } from 'node:os';
import { INSTALLS } from '../../../agents/installs.ts';
import { lookForDaemon } from '../../daemon/control-daemon.ts';
import { isAgentPresent } from '../../install/agent-place.ts';
import { listHooked } from '../../install/installed-hooks.ts';
import type { CommandInput, Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { readSwitchState, renderSwitchState } from '../pause/switches.ts';
import { renderScanStatus } from '../scan/scan-report.ts';
import { toCount } from '../text.ts';

export const run: Handler = async (input) => {
  const { lessons, drafts, sessions, calls } = await readHome(input, ({ store }) => store.countAll());
  const agents = listAgents(input);
  const { daemon, silent } = await lookForDaemon(input.home);
  const overview: Overview = {
    ...{ lessons, drafts, sessions, calls, agents },
    daemon: daemon === undefined ? null : { pid: daemon.pid, version: daemon.version },
  };
  const next = decideNext(overview);
  const rows = [
    ['Lessons', `${lessons} active${drafts === 0 ? '' : `, ${toCount(drafts, 'draft')} to review`}`],
    ['Recorded', `${toCount(calls, 'call')} in ${toCount(sessions, 'session')}`],
    ['Agents', renderAgents(agents)],
    ['Daemon', renderDaemon(daemon?.pid, silent?.pid)],
  ];
  const busy = daemon?.scan?.isUnderWay === true ? [renderScanStatus(daemon.scan)] : [];
  const lines = [
    ...rows.map(([name = '', value = '']) => `${name.padEnd(NAME_CHARS)}${value}`),
    ...busy,
    ...renderSwitchState(readSwitchState(input.home)),
    '',
    `Next: ${next.why}: ${next.command}`,
    'All commands: oncebitten --help',
  ];
  return { json: { ...overview, next }, text: lines.join('\n') };
};

const NAME_CHARS = 10;

function renderDaemon(pid: number | undefined, silentPid: number | undefined): string {
  if (silentPid !== undefined) return `process ${silentPid} does not answer; end it: oncebitten daemon stop`;
  return pid === undefined ? 'not running' : `running, process ${pid}`;
}

interface Overview {
  readonly lessons: number;
  readonly drafts: number;
  readonly sessions: number;
  readonly calls: number;
  /** The agents on this machine, and those with our hooks. */
  readonly agents: readonly ListedAgent[];
  readonly daemon: { readonly pid: number; readonly version: string } | null;
}

interface ListedAgent {
  readonly id: string;
  readonly name: string;
  readonly isConnected: boolean;
}

function listAgents(input: CommandInput): readonly ListedAgent[] {
  const hooked = new Set(listHooked(input).map(({ agent }) => agent));
  return INSTALLS.filter(
    (agent) => hooked.has(agent.facts.id) || isAgentPresent({ agent, env: input.env, home: homedir() }),
  ).map(({ facts: { id, name } }) => ({ id, name, isConnected: hooked.has(id) }));
}

function renderAgents(agents: readonly ListedAgent[]): string {
  if (agents.length === 0) return 'none found on this machine';
  return agents.map(({ name, isConnected }) => `${name} (${isConnected ? 'connected' : 'not connected'})`).join(', ');
}

/** The first of these steps that is not done yet. */
function decideNext({ sessions, agents, drafts }: Overview): { readonly why: string; readonly command: string } {
  if (sessions === 0) return { why: 'learn from your past sessions', command: 'oncebitten start' };
  if (!agents.some(({ isConnected }) => isConnected))
    return { why: 'connect an agent, so that it gets the lessons', command: 'oncebitten install' };
  if (drafts > 0) return { why: 'decide about the drafts', command: 'oncebitten lessons review' };
  return { why: 'see what Oncebitten did', command: 'oncebitten open' };
}
