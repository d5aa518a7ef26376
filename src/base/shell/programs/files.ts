/** Programs of the system that show, search, filter, handle and compare files, and describe the machine. */
import { type ProgramRow, row } from './vocabulary.ts';

const NO_MATCH = '1 123'; // nothing matched; GNU xargs makes 123 of any code of the program it ran
const UNREAD = '2 results'; // one of several paths could not be read
const SKIPPED = 'noise'; // a folder of another user was skipped
const DIFFERENT = { exits: [''] }; // the files differ
const NO_PROCESS = { exits: [''] }; // no such process
const ABSENT = { exits: [''] }; // no such program

export const FILES: readonly ProgramRow[] = [
  // Show files and folders.
  row('ls', 'looks quiet lists flat basic own-h', { exits: [SKIPPED] }),
  row('cat', 'looks shows views filters flat basic'),
  row('bat', 'looks acts shows views filters pages flat'),
  row('head tail', 'looks shows views filters flat basic'),
  row('less', 'looks acts shows views filters pages flat'),
  row('more', 'looks acts shows views filters pages flat basic'),
  row('sed', 'looks acts shows views filters scripted flat basic'),
  row('wc', 'looks quiet views flat basic'),
  row('nl', 'looks shows views filters flat basic'),
  row('stat', 'looks quiet lists flat basic'),
  row('file', 'looks quiet lists flat'),
  row('tree', 'looks acts quiet lists flat'),
  row('delta', 'pages'),
  row('zcat gzcat bzcat xzcat zstdcat tac hexdump', 'looks shows filters flat'),
  row('batcat zless glow', 'looks acts shows pages flat'),
  row('eza exa lsd readlink', 'looks quiet flat'),
  row('nm objdump readelf otool ldd identify exiftool ffprobe mediainfo pdfinfo pdftotext', 'looks shows flat'),

  // Search.
  row('grep egrep fgrep', 'looks shows searches filters flat basic own-h', { exits: [NO_MATCH, UNREAD] }),
  row('rg findstr select-string sls', 'looks shows searches filters flat own-h', { exits: [NO_MATCH, UNREAD] }),
  row('ag ack', 'looks acts shows searches filters', { exits: [NO_MATCH] }),
  row('zgrep xzgrep ugrep pcregrep pcre2grep rga', 'shows searches filters', { exits: [NO_MATCH] }),
  row('ast-grep sg', 'shows', { exits: [NO_MATCH] }),
  row('find', 'looks acts quiet finds flat basic', { exits: [SKIPPED] }),
  row('fd', 'looks acts quiet finds flat', { exits: [SKIPPED, '-q --quiet'] }), // no match

  // Filter and compare texts.
  row('awk', 'looks acts shows filters scripted flat basic'),
  row('gawk gsed', 'filters scripted flat'),
  row('jq', 'looks shows filters scripted flat', { exits: ['-e --exit-status 1 4'] }), // false, null or nothing
  row('yq', 'looks acts shows filters scripted flat', { exits: ['-e --exit-status'] }), // false, null or nothing
  row('cut tr', 'looks shows filters flat basic'),
  row('sort', 'looks acts shows filters flat basic own-h'),
  row('uniq tee', 'looks acts shows filters flat basic'),
  row('xxd', 'looks acts shows filters flat'),
  row('od', 'looks shows filters flat basic'),
  row('strings', 'looks shows filters flat'),
  row('column', 'looks shows filters'),
  row('base64', 'shows filters flat'),
  row('gron mlr xsv qsv csvcut htmlq xq tomlq', 'looks shows filters'),
  row('fold join', 'filters flat basic'),
  row('rev decode', 'filters'),
  row('diff', 'looks shows flat basic', DIFFERENT),
  row('cmp comm', 'looks shows basic', DIFFERENT),
  row('colordiff sdiff zdiff zcmp xzdiff diff3 wdiff', 'shows', DIFFERENT),
  row('split mktemp dd', 'flat basic'),
  row('md5 shasum sha256sum seq patch install gzip gunzip', 'flat'),

  // Cmdlets of PowerShell.
  row('get-content gc', 'looks shows filters flat'),
  row('get-childitem gci dir', 'looks quiet flat'),
  // It stops the program before it as soon as it has enough, and the code is that of the stopped program.
  row('select-object', 'looks shows filters', { exits: ['-First 255'] }),

  // Handle files.
  row('mkdir', 'quiet varies flat basic', { twins: { '': '-p --parents' } }),
  row('cp', 'quiet varies flat basic', { twins: { '': '-r -R' } }),
  row('touch ln', 'quiet varies flat basic'),
  row('chmod chown', 'quiet varies flat basic unmistakable'),
  row('rm', 'quiet removes varies flat basic', { twins: { '': '-r -R' } }),
  row('mv rmdir', 'quiet removes varies flat basic'),
  row('unlink trash shred rimraf', 'removes'),
  row('tar zip unzip open', 'varies flat'),
  row('code', 'varies'),
  row('vim nvim', 'unmistakable'),

  // Describe the machine, its programs and its processes.
  row('pwd', 'looks quiet succeeds basic'),
  row('date', 'looks acts quiet succeeds flat basic'),
  row('printenv', 'looks acts'),
  row('basename', 'looks quiet flat basic'),
  row('dirname', 'looks quiet basic'),
  row('realpath', 'looks quiet flat'),
  row('du', 'looks quiet flat basic own-h', { exits: [SKIPPED] }),
  row('df', 'looks quiet flat basic own-h'),
  row('free', 'flat own-h'),
  row('uname getconf', 'looks quiet flat basic'),
  row('hostname nproc', 'looks quiet flat'),
  row('id', 'looks quiet flat basic', { exits: ['1 2'] }), // no such user
  row('getent', 'looks quiet flat', { exits: ['1 2'] }), // no such entry
  row('whoami groups uptime lscpu lsblk lsmod lspci lsusb vmstat iostat netstat ss sw_vers dmesg', 'looks shows'),
  row('locate plocate mdfind', 'looks quiet', { exits: [''] }), // nothing matched
  row('pkg-config pkgconf', 'looks quiet', { exits: ['--exists --atleast-version'] }), // not installed
  row('mountpoint', '', { exits: ['1 32'] }), // no mount point
  row('tmux', '', { exits: ['has-session', 'ls', 'list-sessions'] }), // no such session, no server
  row('screen', '', { exits: ['-ls -list'] }), // no session
  row('crontab', '', { exits: ['-l'] }), // none
  row('defaults', '', { exits: ['read', 'read-type'] }), // not set
  row('launchctl', '', { exits: ['list 113', 'print 113'] }), // no such service
  row('xcode-select', '', { exits: ['-p --print-path 2'] }), // not set
  row('robocopy', '', { exits: ['1 2 3 4 5 6 7'] }), // what it copied, and what was different
  row('which where', 'looks quiet locates flat', ABSENT),
  row('whereis', 'locates'),
  row('man', 'looks shows locates pages'),
  row('ps', 'looks flat basic', { exits: ['-p --pid'] }), // no such process
  row('kill', 'quiet varies flat basic', { exits: ['-0'] }), // no such process
  row('pgrep', 'searches flat', NO_PROCESS),
  row('pkill', 'searches varies flat', NO_PROCESS),
  row('lsof', 'flat', NO_PROCESS),
  row('killall pidof fuser', '', NO_PROCESS),
  row('journalctl', 'shows pages'),
  row('systemctl', 'pages', {
    exits: [
      'is-active 3', // not active
      'is-enabled', // not enabled
      'is-failed', // not failed
      'status 3 4', // not running, no such unit
    ],
  }),
  row('service supervisorctl', '', { exits: ['status 3'] }), // not running
  row('dpkg', '', { exits: ['-s -l --status'] }), // not installed
  row('rpm', '', { exits: ['-q --query'] }), // not installed
];
