/**
 * What a remedy must not teach by itself. A command that worked may still have been the wrong thing to do, or what a page
 * told the agent to do. One row, one kind of harm; the words of `reason` are shown to who reviews the draft.
 */

import { isKnownAs, listPrograms } from '../../../base/shell/programs/all-facts.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';

export interface RemedyRow {
  readonly name: 'downloads-and-runs' | 'starts-program' | 'sends-out' | 'destroys' | 'weakens' | 'reads-secrets';
  readonly reason: string;
  /** On the whole text of the remedy. */
  readonly lines?: readonly RegExp[];
  /** On one of its commands. `cwd`: where the failing call stood. */
  readonly isRisky?: (command: SimpleCommand, cwd: string | undefined) => boolean;
}

const FETCH = '(?:curl|wget|fetch|iwr|irm|invoke-webrequest|aria2c|https?)';
const SHELL = `(?:sudo\\s+(?:-\\w+\\s+)*)?(?:env\\s+)?(?:/\\S*/)?(?:${listPrograms('shell').join('|')})`;
const INTERPRETER = ['bun', 'source', 'iex', 'invoke-expression', ...listPrograms('interpreter', 'power-shell')].join(
  '|',
);
const RUNNER = `(?:${SHELL}|(?:/\\S*/)?(?:python[\\d.]*|${INTERPRETER}))`;

/** What a program puts in, of a file, a variable or what another one prints. */
const HANDED = '(?:\\$\\(|`|@~|@\\/|@\\.env|\\$\\{?\\w*(?:TOKEN|KEY|SECRET|PASS|CREDENTIAL)\\w*)';

const VARIABLE =
  'LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|GIT_PROXY_COMMAND|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|BASH_ENV|PROMPT_COMMAND|PERL5OPT|PYTHONSTARTUP|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|RUSTC_WRAPPER|npm_config_script_shell';
/** Nothing happens, or something is shown. */
const HARMLESS = '(?:true|false|cat|:|less|more|vi|vim|nano|emacs|code|never|none|no|ssh|0|1)';
const VALUE = `(?:"(?!${HARMLESS}")|'(?!${HARMLESS}')|(?!["']|${HARMLESS}(?:[\\s"'\`]|$)))\\S`;
const SETTING =
  'core\\.(?:sshcommand|editor|pager|fsmonitor|gitproxy|askpass|attributesfile)|core\\.hookspath(?==["\']?[~/]|\\s+["\']?[~/])|sequence\\.editor|credential(?:\\.\\S+)?\\.helper|diff\\.external|diff\\.\\S+\\.(?:textconv|command)|difftool\\.\\S+\\.cmd|merge\\.\\S+\\.driver|mergetool\\.\\S+\\.cmd|filter\\.\\S+\\.(?:clean|smudge|process)|gpg(?:\\.\\w+)?\\.program|pager\\.\\w+|uploadpack\\.\\w+|remote\\.\\S+\\.(?:uploadpack|receivepack|vcs|proxy)|protocol\\.ext\\.allow|script-shell|url\\.\\S+\\.insteadof';

/** Options and variables that make a harmless program start another one. */
const PROGRAM_LINES: readonly RegExp[] = [
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

/** Words with which a program that does other things, too, puts files where others can fetch them. */
const STORES: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [/^gh$/, /^gist (?:.* )?(?:create|edit)\b|^release (?:.* )?upload\b/],
  [/^aws$/, /\bs3 (?:.* )?(?:cp|mv|sync) (?!.*\bs3:\/\/\S+ \S)|\bs3api (?:.* )?put-\w+/],
  [/^(?:gsutil|gcloud)$/, /\b(?:cp|mv|rsync) (?!.*\bgs:\/\/\S+ \S).*gs:\/\//],
  [/^az$/, /\bupload(?:-batch)?\b/],
];
const SEND_METHOD = /^(?:post|put|patch)$/i;

const SEND_OPTIONS =
  /^(?:-d|-F|-T|--data(?:-\w+)?|--form(?:-\w+)?|--upload-file|--json|--post-data|--post-file|--body-data|--body-file)(?:$|=|@)|^-[dFT]./;

const SECRET_FILE =
  /(?:^|[/@=])(?:\.env(?:\.(?!example$|sample$|template$|dist$|test$)\w+)?|\.netrc|\.npmrc|\.pypirc|\.git-credentials|credentials(?:\.json)?|secrets?\.(?:ya?ml|json|toml)|[\w.-]+\.(?:pem|p12|pfx|keystore|jks)|id_(?:rsa|ed25519|ecdsa|dsa))$/i;
const HAND_OVER =
  /^--?(?:attach(?:ments?)?|upload(?:-file)?|send|post|include-file|body-file|data(?:-\w+)?|payload|report)$/i;

export const REMEDY_ROWS: readonly RemedyRow[] = [
  {
    name: 'downloads-and-runs',
    reason: 'its remedy downloads something and runs it',
    lines: [
      new RegExp(`\\b${FETCH}\\b[^\\n]{0,400}\\|[^\\n]{0,400}\\b${RUNNER}\\b`, 'i'),
      new RegExp(`\\b(?:${RUNNER})\\b[^\\n]{0,400}(?:<\\(|\\$\\(|\`)\\s*${FETCH}\\b`, 'i'),
      new RegExp(`\\b(?:eval|exec|source|\\.)\\s+["']?(?:<\\(|\\$\\(|\`)\\s*${FETCH}\\b`, 'i'),
      new RegExp(`\\b(?:iex|invoke-expression)\\b[^\\n]{0,400}${FETCH}`, 'i'),
      /\b(?:base64|openssl\s+enc|xxd)\b[^\n]{0,400}(?:-d|-D|--decode|-r)\b[^\n]{0,400}\|/i,
      /\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b(?!\s*=)/i,
      /-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/]{24,}={0,2}/,
      /\b(?:urlopen|urlretrieve|requests\.get|fetch\(|LWP::Simple|Net::HTTP)[^\n]{0,400}\b(?:exec|eval|system)\b|\b(?:exec|eval|system)\b[^\n]{0,400}\b(?:urlopen|requests\.get|fetch\(|Net::HTTP)/i,
      /\b(?:npx|bunx|pnpm dlx|yarn dlx|uvx|pipx run|deno run|go run|node|python3?)\s+(?:-\S+\s+)*["']?(?:https?:|git\+|github:)/i,
      /\b(?:pip3?|npm|pnpm|yarn|bun|gem|cargo|uv)\s[^\n]{0,400}\b(?:install|add|i)\b[^\n]{0,400}\s["']?(?:https?:\/\/|git\+|git:\/\/|github:)/i,
      new RegExp(
        `\\b${FETCH}\\b[^\\n]{0,400}(?:&&|;)\\s*(?:sudo\\s+)?(?:chmod\\s+\\+?[0-7ugoa]*x?\\s+\\S+\\s*(?:&&|;)|${SHELL}\\s|\\./)`,
        'i',
      ),
    ],
  },
  {
    name: 'starts-program',
    reason: 'its remedy makes a program start another one',
    lines: PROGRAM_LINES,
    isRisky: isStartingProgram,
  },
  {
    name: 'sends-out',
    reason: 'its remedy sends data somewhere',
    lines: [
      /\/dev\/(?:tcp|udp)\//i,
      /\b(?:nc|ncat|netcat|socat)\s+(?!-\w*[zhl])/i,
      /\b(?:dig|nslookup|host|ping)\b[^\n]{0,400}(?:\$\(|`|\$\{?[A-Za-z_])/i,
      // `http` is a program only where it stands as one, not in the name of a file; in prose a backtick marks code.
      new RegExp(`(?:\\b(?:curl|wget|xh)\\b|(?<![\\w./:-])https?\\s)[^\\n]{0,400}${HANDED}`, 'i'),
      /https?:\/\/[^\s`]{0,400}(?:\$\(|`\w|\$\{?\w*(?:TOKEN|KEY|SECRET|PASS|CREDENTIAL)\w*)/i,
      /\|\s*(?:curl|wget|nc|ncat|netcat|socat|telnet)\b/i,
    ],
    isRisky: isSending,
  },
  {
    name: 'destroys',
    reason: 'its remedy destroys what cannot be brought back',
    lines: [
      /\bgit\b[^\n|;&]{0,400}\bpush\b[^\n|;&]{0,400}\s(?:--force(?:-with-lease|-if-includes)?\b|-[a-zA-Z]*f\b|--delete\b|-d\b|--mirror\b|--prune\b|\+\S|:\S)/,
      /\bgit\b[^\n|;&]{0,400}\b(?:reset\s+(?:\S+\s+)*--hard|clean\s+(?:\S+\s+)*-[a-zA-Z]*[fdx]|filter-branch|filter-repo|reflog\s+expire|update-ref\s+-d|checkout\s+(?:-f|--force|(?:\S+\s+)?--\s+\.|\.(?:\s|$))|restore\s+(?:\S+\s+)*\.(?:\s|$)|branch\s+(?:\S+\s+)*-D|stash\s+(?:drop|clear)|worktree\s+remove\s+(?:\S+\s+)*(?:-f|--force))/,
      /\b(?:mkfs(?:\.\w+)?|wipefs|shred|fdisk|sgdisk|diskutil\s+erase\w*|format\s+[a-z]:)\b|\bdd\b[^\n]{0,400}\bof=\/dev\/|>\s*\/dev\/(?:sd|nvme|disk|hd)/i,
      /\b(?:drop|truncate)\s+(?:table|database|schema)\b|\bdelete\s+from\s+\w+\s*(?:;|["']|$)|\bflush(?:all|db)\b|\bdropDatabase\b/i,
      /\b(?:terraform|tofu|pulumi|cdk|sls|serverless)\s[^\n]{0,400}\bdestroy\b|\bkubectl\s[^\n]{0,400}\bdelete\b|\bhelm\s+(?:uninstall|delete)\b|\bdocker\s+(?:system|volume|image|container)\s+(?:prune|rm)\b|\bdocker[- ]compose\s[^\n]{0,400}\bdown\b[^\n]{0,400}\s(?:-v|--volumes)\b/i,
      /\baws\s+s3\s+(?:rm|rb)\b[^\n]{0,400}(?:--recursive|--force)|\baws\s[^\n]{0,400}\b(?:delete|terminate)-\w+|\bgcloud\s[^\n]{0,400}\bdelete\b|\baz\s[^\n]{0,400}\bdelete\b|\bgh\s+(?:repo|release|secret|variable)\s+delete\b/i,
      /\bremove-item\b[^\n]{0,400}-(?:recurse|force)|\brd\s+\/s|\bdel\s+\/[sfq]|\bfind\b[^\n]{0,400}\s-delete\b|\bfind\b[^\n]{0,400}-exec\s+rm\b|\bxargs\s+(?:\S+\s+)*rm\b/i,
      /:\s*\(\s*\)\s*\{\s*:\s*\|\s*:/,
      /\b(?:truncate\s+(?:\S+\s+)*-s\s*0|chown\s+(?:\S+\s+)*-R\s|crontab\s+-r)\b/,
      /\b(?:npm|pnpm|yarn)\s+unpublish\b|\bcargo\s+yank\b|\bprisma\s+(?:migrate\s+reset|db\s+push\s[^\n]{0,400}--(?:accept-data-loss|force-reset))|\b(?:rails|rake)\s+db:(?:drop|reset)\b/,
    ],
    isRisky: isRemovingOutside,
  },
  {
    name: 'weakens',
    reason: 'its remedy switches a safeguard off',
    lines: [
      /(?:^|\s)--no-(?:verify|gpg-sign|check-certificate|sandbox|same-owner|audit|ssl-verify|verify-ssl|tls-verify|validate|preserve-root)\b/i,
      /--(?:dangerously|yolo|insecure|unsafe|disable-web-security|allow-unauthenticated|allow-releaseinfo-change|break-system-packages|trusted-host|privileged|skip-permissions|bypass|ignore-certificate-errors|allow-untrusted|skip-verify|no-verify|disable-(?:ssl|tls|security|sip|gatekeeper))/i,
      /\bchmod\s+(?:-\S+\s+)*(?:0?[0-7]?(?:777|666|776|767)|[ugoa]*\+[rwxX]*s|(?:a|o|ugo)\+\w*w\w*)\b/,
      /\b(?:NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY|HUSKY)=["']?0|\bGIT_SSL_NO_VERIFY=|\b(?:CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)=["']{0,2}(?:\s|$)|\bGONOSUMCHECK=|\bGOFLAGS=\S*-insecure|\bGOINSECURE=|\bGONOSUMDB=|\bHUSKY_SKIP_HOOKS=|\bSKIP=\w/,
      /\b(?:http\.)?sslverify[=\s]+["']?(?:false|0|no)\b|\bstrict-ssl[=\s]+["']?(?:false|0|no)\b|\bStrictHostKeyChecking[=\s]+["']?no\b|UserKnownHostsFile[=\s]+\/dev\/null|\bverify\s*=\s*False\b|rejectUnauthorized\s*:\s*false|\bcore\.hooksPath[=\s]+(?:\/dev\/null|["']{2})|\bcommit\.gpgsign[=\s]+["']?false\b/i,
      /\bsetenforce\s+0\b|\bufw\s+disable\b|\biptables\s+-F\b|\bcsrutil\s+disable\b|\bspctl\s+--(?:master|global)-disable\b|\bset-executionpolicy\s+(?:\S+\s+)*(?:bypass|unrestricted)\b|\bDisableRealtimeMonitoring\b|\bsystemctl\s+(?:stop|disable|mask)\s+\S*(?:firewalld|apparmor|auditd|ufw|falcon)/i,
      /\bsafe\.directory\s+["']?\*|\bNOPASSWD\b|\bPermitRootLogin\s+yes\b/i,
    ],
    isRisky: isUnchecked,
  },
  {
    name: 'reads-secrets',
    reason: 'its remedy reads keys or other secrets',
    lines: [
      /(?:~|\$HOME|\/root|\/home\/[^/\s]+|\/Users\/[^/\s]+)\/\.(?:ssh\/(?!config\b|known_hosts\b)|aws\/credentials|gnupg\/|netrc|npmrc|pypirc|docker\/config\.json|kube\/config|config\/gh\/hosts|git-credentials)/i,
      /\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)/,
      /\/etc\/(?:shadow|sudoers)\b|\/proc\/(?:self|\d+)\/environ\b/,
      /\b(?:printenv|env|set|export\s+-p)\s*(?:\||>)|\bcat\b[^\n|;&]{0,400}(?:^|[\s/])\.env(?:\.\w+)?(?:\s|$)/,
      /\bsecurity\s+(?:find-generic-password|find-internet-password|dump-keychain)\b|\bgh\s+auth\s+token\b|\bgcloud\s+auth\s+print-\S*token\b|\bvault\s+(?:kv\s+)?(?:read|get)\b|\bop\s+(?:read|item\s+get)\b/i,
    ],
    isRisky: isHandingSecrets,
  },
];

function isSending({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ value }) => value);
  if (args.length > 0 && isKnownAs(program, 'sends')) return true;
  if (STORES.some(([name, line]) => name.test(program) && line.test(words.join(' ')))) return true;
  if (isKnownAs(program, 'copies')) return words.some((word) => /^[^/\s]+:/.test(word) || program === 'sftp');
  if (!isKnownAs(program, 'http')) return false;
  const at = words.findIndex((word) => word === '-X' || word === '--request' || word === '--method');
  if (at >= 0 && SEND_METHOD.test(words[at + 1] ?? '')) return true;
  return words.some((word) => SEND_OPTIONS.test(word) || /^(?:-X|--request=|--method=)(?:post|put|patch)$/i.test(word));
}

/** A file of secrets that goes where files are sent, or that is handed over with what is sent. */
function isHandingSecrets(command: SimpleCommand): boolean {
  const words = command.args.map(({ value }) => value);
  if (isSending(command)) return words.some((word) => SECRET_FILE.test(word));
  return words.some((word, at) => {
    const [option = '', value = words[at + 1] ?? ''] = word.split('=', 2);
    return HAND_OVER.test(option) && SECRET_FILE.test(value);
  });
}

function isRemovingOutside(command: SimpleCommand, cwd: string | undefined): boolean {
  if (!isKnownAs(command.program, 'removes')) return false;
  const options = command.args.map(({ value }) => value).filter(isOption);
  const isDeep = command.program === 'rimraf' || options.some((one) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(one));
  return isDeep && toPositionals(command).some((path) => isOutside(path, cwd));
}

function isOutside(path: string, cwd: string | undefined): boolean {
  if (/^(?:\.?\/?\*?|\.\/?|\.git\/?|\*+)$/.test(path) || /[$`]/.test(path) || /^~/.test(path)) return true;
  if (path.split('/').includes('..')) return true;
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(path)) return false;
  return cwd === undefined || cwd === '/' || cwd === '' || !path.startsWith(`${cwd.replace(/\/$/, '')}/`);
}

/** `git commit -n` skips its hooks, `curl -k` the certificate. */
function isUnchecked({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ value }) => value);
  if (program === 'git') return words.includes('commit') && words.some((word) => /^-[a-zA-Z]*n[a-zA-Z]*$/.test(word));
  return (
    program === 'curl' && words.some((word) => /^-[a-zA-Z]*k[a-zA-Z]*$/.test(word) && !/^-[XHdFTuAbeo]/.test(word))
  );
}

function isStartingProgram({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ value }) => value);
  // `watchexec --exec`, `nodemon --exec`: that is all that these do.
  if (isKnownAs(program, 'starts')) return false;
  return words.some((word, at) => {
    if (OPTIONS.test(word)) return true;
    const [option = '', value = words[at + 1] ?? ''] = word.split('=', 2);
    return WITH_PATH.test(option) && /^(?:~|\.\.|\/(?!usr\/|bin\/|opt\/))/.test(value);
  });
}
