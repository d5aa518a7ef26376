/**
 * When a lesson would speak that rests on a report's words alone: at a command or at files, or when certain words are
 * said. Else there is nothing to wait for.
 */
import { toOptionTrigger } from '../../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import type { SelfReport } from './self-report.ts';
import { toNamedCommands } from './to-named-commands.ts';
import { toToolNames } from './to-tool-names.ts';

const MAX_PATHS = 5;
const PATH = /^(?!\/?\**\/?\**$)[\w.*?@+/-]{2,120}$/;
const FILE = /^[\w.*@+/-]*(?:\/|\.\w{1,8}$)[\w.*@+/-]*$/;
const FILE_TOOLS = ['read', 'edit', 'write'] as const;

/** `behind`: the command that failed, where there is one. */
export function toStatedTriggers(report: SelfReport, behind: SimpleCommand | undefined): Triggers | undefined {
  const target = toTarget(report, behind);
  if (target !== undefined) return { ...target, ...report.narrowing };
  const { tools, trigger, paths, narrowing } = report;
  const named = toToolNames(tools);
  // What it names and we cannot use would be missing: it would speak more often than it was meant to.
  if (narrowing === undefined || trigger !== '' || paths.length > 0 || (tools.length > 0 && named.length === 0))
    return undefined;
  return { ...(named.length === 0 ? {} : { tools: named }), ...narrowing };
}

function toTarget(report: SelfReport, behind: SimpleCommand | undefined): Triggers | undefined {
  const tools = toToolNames(report.tools);
  const files = FILE_TOOLS.filter((tool) => tools.length === 0 || tools.includes(tool));
  const isFile = FILE.test(report.trigger) && tools.some((tool) => tool !== 'shell');
  const paths = [...report.paths, ...(isFile ? [report.trigger] : [])].filter((path) => PATH.test(path));
  if (paths.length > 0 && files.length > 0) return { tools: files, paths: paths.slice(0, MAX_PATHS) };
  if (tools.length > 0 && !tools.includes('shell')) return undefined;
  const command = behind ?? toNamedCommands(report.trigger)[0]?.[0];
  return command === undefined ? undefined : { tools: ['shell'], programs: [toOptionTrigger(command)] };
}
