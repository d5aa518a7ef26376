/** `oncebitten daemon status`, `daemon start` and `daemon stop`. */

import { toHttpFile } from '../../../loop/home/data-home.ts';
import { ensureDaemon, lookForDaemon, stopDaemon } from '../../daemon/control-daemon.ts';
import { toMcpUrl } from '../../http/http-file.ts';
import type { Handler } from '../command.ts';
import { describeUpkeep } from '../data/retention.ts';
import { readSwitchState, renderSwitchState } from '../pause/switches.ts';
import { renderScanStatus } from '../scan/scan-report.ts';

export const runStatus: Handler = async ({ home }) => {
  const { daemon, silent } = await lookForDaemon(home);
  const switches = readSwitchState(home);
  const upkeep = describeUpkeep(home);
  const off = [...renderSwitchState(switches), ...upkeep.flatMap(({ detail, next }) => [`${detail}.`, `  ${next}`])];
  const json = {
    ...(renderSwitchState(switches).length === 0 ? {} : { switches }),
    ...(upkeep.length === 0 ? {} : { upkeep: upkeep.map(({ data }) => data) }),
  };
  if (silent !== undefined) {
    const text = `The daemon does not answer: process ${silent.pid}. Hooks work without it, but nothing new is learned. End it: oncebitten daemon stop`;
    return { json: { running: false, silentPid: silent.pid, ...json }, text: [text, ...off].join('\n') };
  }
  if (daemon === undefined) {
    const text =
      'The daemon is not running. Hooks work without the daemon, but slower; the next hook starts the daemon. Start it now: oncebitten daemon start';
    return { json: { running: false, ...json }, text: [text, ...off].join('\n') };
  }
  // One of an older version says nothing of its troubles.
  const { pid, port, version, startedAt, troubles = [], owner, scan, httpPort } = daemon;
  const lines = [
    `The daemon is running: process ${pid}, port ${port}, version ${version}, since ${startedAt}.`,
    ...(owner === undefined
      ? []
      : [`The daemon of host ${owner} uses the store; this daemon keeps events in the spool for it.`]),
    ...(httpPort === undefined ? [] : [`MCP over HTTP: ${toMcpUrl(httpPort)}, with the token in ${toHttpFile(home)}.`]),
    ...(scan === undefined ? [] : [renderScanStatus(scan)]),
    ...troubles.flatMap(({ topic, since, text, next }) => [`Fault (${topic}) since ${since}: ${text}`, next ?? '']),
    ...off,
  ];
  return {
    json: { running: true, ...daemon, ...json },
    text: lines.filter((line) => line !== '').join('\n'),
  };
};

export const runStart: Handler = async ({ home }) => {
  const { daemon, started } = await ensureDaemon(home);
  return {
    json: { started, ...daemon },
    text: `The daemon ${started ? 'started' : 'was already running'}: process ${daemon.pid}, version ${daemon.version}.`,
  };
};

export const runStop: Handler = async ({ home }) => {
  const how = await stopDaemon(home);
  const text = how === undefined ? 'The daemon was not running.' : STOPPED[how];
  return { json: { stopped: how !== undefined, ...(how === 'by a signal' ? { killed: true } : {}) }, text };
};

const STOPPED = {
  'when asked': 'The daemon has finished its work and stopped.',
  'by a signal': 'The daemon did not answer, so its process was ended. The next daemon continues its work.',
} as const;
