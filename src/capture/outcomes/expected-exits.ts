/** Exit codes other than 0 that are answers, by the program that gives them; behind each what it answers. */
export interface ExpectedExit {
  readonly programs: readonly string[];
  /** Leading words that are not options. */
  readonly sub?: readonly string[];
  /** One of these options must be there. */
  readonly options?: readonly string[];
  readonly codes: readonly number[];
  /** `results`: only with output beside the program's own complaints. `noise`: only when it complains of nothing else. */
  readonly output?: 'results' | 'noise';
}

const GREPS = ['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'ugrep', 'ast-grep', 'sg'];
const GIT = ['git'];

const SEARCH: readonly ExpectedExit[] = [
  // 123 is what GNU xargs makes of any code of the program it ran.
  { programs: GREPS, codes: [1, 123] }, // nothing matched
  { programs: ['rg'], codes: [2], output: 'results' }, // one of several paths could not be read
  { programs: ['find', 'du', 'fd', 'ls'], codes: [1], output: 'noise' }, // a folder of others was skipped
  { programs: ['fd'], options: ['-q', '--quiet'], codes: [1] }, // nothing matched
  { programs: ['which', 'type', 'hash'], codes: [1] }, // no such program
  { programs: ['command'], options: ['-v', '-V'], codes: [1, 127] }, // no such program
  { programs: ['pgrep', 'pkill', 'killall', 'pidof', 'lsof', 'fuser'], codes: [1] }, // no such process
  { programs: ['ps'], options: ['-p', '--pid'], codes: [1] }, // no such process
  { programs: ['kill'], options: ['-0'], codes: [1] }, // no such process
];

const COMPARE: readonly ExpectedExit[] = [
  { programs: ['diff', 'cmp', 'colordiff', 'sdiff', 'zdiff', 'comm'], codes: [1] }, // they differ
  { programs: ['test', '[', '[[', '((', 'let', 'expr', 'false'], codes: [1] }, // the condition is false
  { programs: ['jq'], options: ['-e', '--exit-status'], codes: [1, 4] }, // the answer is false, null or nothing
  { programs: ['yq'], options: ['-e', '--exit-status'], codes: [1] }, // the answer is false, null or nothing
  { programs: ['terraform', 'tofu'], sub: ['plan'], options: ['-detailed-exitcode'], codes: [2] }, // changes
  { programs: ['kubectl'], sub: ['diff'], codes: [1] }, // they differ
  { programs: ['rsync'], codes: [24] }, // files vanished while they were copied
];

const VERSION_CONTROL: readonly ExpectedExit[] = [
  { programs: ['gh'], sub: ['pr', 'checks'], codes: [8] }, // checks are pending
  { programs: GIT, sub: ['diff'], options: ['--exit-code', '--quiet', '--no-index'], codes: [1] }, // they differ
  { programs: GIT, sub: ['grep'], codes: [1] }, // nothing matched
  { programs: GIT, sub: ['check-ignore'], codes: [1] }, // not ignored
  { programs: GIT, sub: ['config'], codes: [1] }, // not set
  { programs: GIT, sub: ['merge-base'], options: ['--is-ancestor'], codes: [1] }, // no ancestor
  { programs: GIT, sub: ['merge-tree'], codes: [1] }, // the merge would conflict
  { programs: GIT, sub: ['show-ref'], codes: [1] }, // no such ref
  { programs: GIT, sub: ['symbolic-ref'], options: ['-q', '--quiet'], codes: [1] }, // the head is detached
  { programs: GIT, sub: ['cat-file'], options: ['-e'], codes: [1] }, // no such object
  { programs: GIT, sub: ['ls-files'], options: ['--error-unmatch'], codes: [1] }, // not tracked
  { programs: GIT, sub: ['ls-remote'], options: ['--exit-code'], codes: [2] }, // no such ref
  { programs: GIT, sub: ['rev-parse'], options: ['-q', '--quiet'], codes: [1] }, // no such revision
];

const SYSTEM: readonly ExpectedExit[] = [
  { programs: ['systemctl'], sub: ['is-active'], codes: [3] }, // not active
  { programs: ['systemctl'], sub: ['is-enabled'], codes: [1] }, // not enabled
  { programs: ['systemctl', 'service'], sub: ['status'], codes: [3] }, // not running
  { programs: ['npm', 'pnpm', 'yarn'], sub: ['outdated'], codes: [1] }, // newer versions exist
  { programs: ['dpkg'], options: ['-s', '-l', '--status'], codes: [1] }, // not installed
  { programs: ['rpm'], options: ['-q', '--query'], codes: [1] }, // not installed
];

export const EXPECTED_EXITS: readonly ExpectedExit[] = [...SEARCH, ...COMPARE, ...VERSION_CONTROL, ...SYSTEM];
