/** Options and variables that make a harmless program start another one. */
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';

const VARIABLE =
  'LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|GIT_PROXY_COMMAND|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|BASH_ENV|PROMPT_COMMAND|PERL5OPT|PYTHONSTARTUP|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|RUSTC_WRAPPER|npm_config_script_shell';
/** Nothing happens, or something is shown. */
const HARMLESS = '(?:true|false|cat|:|less|more|vi|vim|nano|emacs|code|never|none|no|ssh|0|1)';
const VALUE = `(?:"(?!${HARMLESS}")|'(?!${HARMLESS}')|(?!["']|${HARMLESS}(?:[\\s"'\`]|$)))\\S`;
const SETTING =
  'core\\.(?:sshcommand|editor|pager|fsmonitor|gitproxy|askpass|attributesfile)|core\\.hookspath(?==["\']?[~/]|\\s+["\']?[~/])|sequence\\.editor|credential(?:\\.\\S+)?\\.helper|diff\\.external|diff\\.\\S+\\.(?:textconv|command)|difftool\\.\\S+\\.cmd|merge\\.\\S+\\.driver|mergetool\\.\\S+\\.cmd|filter\\.\\S+\\.(?:clean|smudge|process)|gpg(?:\\.\\w+)?\\.program|pager\\.\\w+|uploadpack\\.\\w+|remote\\.\\S+\\.(?:uploadpack|receivepack|vcs|proxy)|protocol\\.ext\\.allow|script-shell|url\\.\\S+\\.insteadof';

export const PROGRAM_LINES: readonly RegExp[] = [
  new RegExp(`(?:^|[\\s;&|(\`"'])(?:${VARIABLE})=${VALUE}`),
  /(?:^|\s)(?:NODE_OPTIONS|PERL5LIB|PYTHONPATH)=["']?[^"'\n]{0,200}(?:--require|--import|--loader|-r)[ =]["']?(?:[~/]|\.\.)/,
  new RegExp(
    `\\bgit\\b[^\\n|;&]{0,400}?\\s(?:-c|--config-env|config)[\\s=][^\\n|;&]{0,200}?(?:${SETTING})(?:=|\\s+)${VALUE}`,
    'i',
  ),
  /\balias\.[\w-]+(?:=|\s+)["']{0,2}!/,
  /\bext::/,
  /(?:\b|-o)(?:Proxy|Local|KnownHosts|AuthorizedKeys)Command(?:=|\s+)["']?(?!none\b)\S/i,
  /--checkpoint-action[= ]["']?exec|--to-command\b|\bscript-shell[= ]/,
];

const OPTIONS =
  /^--(?:upload-pack|receive-pack|exec|ssh-command|rsh|rsync-path|use-askpass|pager-command|script-shell|init-script|pre-exec|post-exec|on-success|on-error|onsuccess|hook-command|proxy-command|proxycommand|extcmd)(?:=|$)/i;
/** With a path only: a name of what is installed is what these are for. */
const WITH_PATH =
  /^(?:--use-compress-program|--rcfile|--init-file|--require|--import|--loader|--plugin|--config-env)=?$/i;

export function isStartingProgram({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ value }) => value);
  // `watchexec --exec`, `nodemon --exec`: that is all that these do.
  if (isKnownAs(program, 'starts')) return false;
  return words.some((word, at) => {
    if (OPTIONS.test(word)) return true;
    const [option = '', value = words[at + 1] ?? ''] = word.split('=', 2);
    return WITH_PATH.test(option) && /^(?:~|\.\.|\/(?!usr\/|bin\/|opt\/))/.test(value);
  });
}
