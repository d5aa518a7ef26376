/**
 * Lessons about tool use that hold for everyone. Each was replayed over 28,637 calls of real sessions of two agents
 * (372 files): a trigger that spoke mostly at calls that worked is not here. Counts only, nothing of the calls.
 */
import type { LessonType } from '../../base/model/lesson.ts';
import type { ProgramTrigger, Triggers } from '../../base/triggers/trigger.ts';

export interface StarterLesson {
  /** Its slug, and how it is known again. */
  readonly key: string;
  readonly type: LessonType;
  readonly summary: string;
  readonly mistake: string;
  readonly remediation: string;
  readonly triggers: Triggers;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly backtest: Backtest;
}

export interface Backtest {
  /** Calls of the tools it is about. */
  readonly tried: number;
  readonly fired: number;
  readonly failed: number;
  /** The others were refused or cancelled. */
  readonly worked: number;
}

export const BACKTESTED_AT = '2026-11-15T00:00:00.000Z';

const SHELL_CALLS = 11_494;
const SILENT = { tried: SHELL_CALLS, fired: 0, failed: 0, worked: 0 } as const;

const programs = (names: readonly string[], args: ProgramTrigger['args']): readonly ProgramTrigger[] =>
  names.map((name) => ({ name, ...(args === undefined ? {} : { args }) }));

export const STARTER_LESSONS: readonly StarterLesson[] = [
  {
    key: 'edit-before-read',
    type: 'requirement',
    summary: 'Read a file in this session before you edit it',
    mistake: 'An edit of a file that was not read is refused, or its old text is a guess that does not match.',
    remediation: 'Read the file, or the part of it, then make the edit with the text as it stands there.',
    triggers: {
      tools: ['edit'],
      input: { match: ['"old_?[sS]tring"'] },
      session: { unless: [{ read: '{path}' }] },
    },
    priority: 6,
    tags: ['topic:files'],
    backtest: { tried: 5_685, fired: 54, failed: 23, worked: 13 },
  },
  {
    key: 'directory-read-as-file',
    type: 'warning',
    summary: 'A directory cannot be read as a file: list it first',
    mistake: 'A path that ends in `/` is a directory, and reading it fails.',
    remediation: 'List it (`ls`, or the tool that finds files), then read the files in it.',
    triggers: { tools: ['read'], paths: ['**/'] },
    priority: 5,
    tags: ['topic:files'],
    backtest: { tried: 5_712, fired: 1, failed: 0, worked: 0 },
  },
  {
    key: 'git-rebase-interactive',
    type: 'warning',
    summary: '`git rebase -i` opens an editor that nobody can use here',
    mistake: 'There is no terminal: the editor fails or hangs.',
    remediation:
      'Give the list with a program: `GIT_SEQUENCE_EDITOR="sed -i.bak \'2s/^pick/squash/\'" git rebase -i HEAD~2`, or use `git reset --soft` and commit again.',
    triggers: {
      tools: ['shell'],
      programs: [{ name: 'git', sub: ['rebase'], args: { any: ['-i', '--interactive'] } }],
      line: { unless: ['GIT_SEQUENCE_EDITOR|GIT_EDITOR|sequence\\.editor'] },
    },
    priority: 6,
    tags: ['tool:git', 'topic:interactive'],
    backtest: SILENT,
  },
  {
    key: 'git-add-interactive',
    type: 'warning',
    summary: '`git add -p` asks about every hunk, and nobody answers here',
    mistake: 'There is no terminal: it ends without having added what was meant, or hangs.',
    remediation: 'Add whole files by name, or write the hunks to a patch and use `git apply --cached changes.patch`.',
    triggers: {
      tools: ['shell'],
      programs: [
        { name: 'git', sub: ['add'], args: { any: ['-p', '--patch', '-i', '--interactive', '-e', '--edit'] } },
      ],
      line: { unless: ['\\|\\s*git\\s|<<'] },
    },
    priority: 6,
    tags: ['tool:git', 'topic:interactive'],
    backtest: SILENT,
  },
  {
    key: 'git-commit-without-message',
    type: 'warning',
    summary: '`git commit` without a message opens an editor that nobody can use here',
    mistake: 'There is no terminal: the editor fails or hangs, and nothing is committed.',
    remediation: '`git commit -m "what and why"`; with `--amend`, keep the message: `git commit --amend --no-edit`.',
    triggers: {
      tools: ['shell'],
      programs: [{ name: 'git', sub: ['commit'] }],
      command: {
        unless: [
          '\\s-[a-zA-Z]*[mFChu]',
          '\\s--(?:message|file|no-edit|reuse-message|fixup|dry-run|help|porcelain|short)',
        ],
      },
      line: { unless: ['GIT_EDITOR|core\\.editor'] },
    },
    priority: 6,
    tags: ['tool:git', 'topic:interactive'],
    backtest: SILENT,
  },
  {
    key: 'npm-init-asks',
    type: 'warning',
    summary: '`npm init` asks questions: say yes to all with `-y`',
    mistake: 'There is no terminal to answer on: it hangs or ends without a package.json.',
    remediation: '`npm init -y`, then edit package.json.',
    triggers: { tools: ['shell'], command: { match: ['^(?:npm|yarn) init\\s*$'] } },
    priority: 5,
    tags: ['tool:npm', 'topic:interactive'],
    backtest: SILENT,
  },
  {
    key: 'editor-in-shell',
    type: 'warning',
    summary: 'An editor in the shell has no terminal here: it hangs',
    mistake: '`vim`, `nano`, `emacs` and the like wait for keys that never come.',
    remediation: 'Use the tool that edits files, or a program that needs no terminal, as `sed`.',
    triggers: {
      tools: ['shell'],
      programs: programs(['vim', 'vi', 'nvim', 'nano', 'pico', 'emacs'], {
        none: ['-es', '-Es', '--headless', '--batch', '-batch', '--version', '-c'],
      }),
    },
    priority: 6,
    tags: ['topic:interactive', 'severity:hang'],
    backtest: SILENT,
  },
  {
    key: 'docker-with-terminal',
    type: 'warning',
    summary: '`docker run -it` needs a terminal: leave `-t` out',
    mistake: 'Without a terminal it says "the input device is not a TTY".',
    remediation:
      '`docker run --rm image command`, `docker exec container command`; `-i` alone where it reads from a pipe.',
    triggers: {
      tools: ['shell'],
      programs: ['run', 'exec'].map((sub) => ({
        name: 'docker',
        sub: [sub],
        args: { any: ['-it', '-ti', '-t', '--tty'] },
      })),
    },
    priority: 6,
    tags: ['tool:docker', 'topic:interactive'],
    backtest: SILENT,
  },
  {
    key: 'watch-mode',
    type: 'warning',
    summary: 'A watch mode never ends: run it once',
    mistake: 'The call waits until it times out, and its result comes late or never.',
    remediation:
      'Leave the option out (`vitest run`, `tsc --noEmit`, `jest --watchAll=false`), or run it in the background.',
    triggers: {
      tools: ['shell'],
      command: {
        match: ['\\s--watch(?:-all|All)?(?:\\s|$)', '^(?:npx |bunx |pnpm exec )?tsc\\s(?:.*\\s)?-w(?:\\s|$)'],
        // Its checks come to an end.
        unless: ['^gh\\s', '^timeout\\s'],
      },
    },
    priority: 5,
    tags: ['topic:endless', 'severity:hang'],
    backtest: SILENT,
  },
  {
    key: 'tail-follow',
    type: 'warning',
    summary: '`tail -f` never ends: read what is there',
    mistake: 'The call waits until it times out.',
    remediation: '`tail -n 100 file`, or `timeout 10 tail -f file` where new lines matter.',
    triggers: {
      tools: ['shell'],
      programs: [{ name: 'tail', args: { any: ['-f', '-F', '--follow'] } }],
      line: { unless: ['\\btimeout\\s', '&\\s*$', '\\|\\s*head'] },
    },
    priority: 5,
    tags: ['topic:endless', 'severity:hang'],
    backtest: SILENT,
  },
  {
    key: 'unquoted-include-pattern',
    type: 'warning',
    summary: 'Quote the pattern of `--include`: zsh expands it to file names',
    mistake: 'zsh ends the whole line with "no matches found" when a pattern without quotes matches no file.',
    remediation: "`grep -rn word --include='*.go' .`",
    triggers: {
      tools: ['shell'],
      command: { match: ['^(?:grep|egrep|fgrep|rg|git grep)\\b.*\\s--(?:include|exclude|glob)=\\*'] },
    },
    priority: 6,
    tags: ['topic:shell-quoting'],
    backtest: { tried: SHELL_CALLS, fired: 12, failed: 12, worked: 0 },
  },
  {
    key: 'unquoted-query',
    type: 'warning',
    summary: 'Quote an address with `?`: the shell takes it for a pattern',
    mistake: 'zsh ends the line with "no matches found"; `&` would cut it in two in any shell.',
    remediation: "`gh api 'repos/OWNER/REPO/pulls?per_page=100'`, `curl -s 'https://host/path?key=value'`",
    triggers: {
      tools: ['shell'],
      command: { match: ['^(?:gh|curl|wget|http)\\s(?:[^\'"]*\\s)?[^\\s\'"-][^\\s\'"]*\\?[^\\s\'"]*='] },
    },
    priority: 6,
    tags: ['topic:shell-quoting'],
    backtest: { tried: SHELL_CALLS, fired: 2, failed: 2, worked: 0 },
  },
  {
    key: 'cd-into-where-one-is',
    type: 'warning',
    summary: 'You are in that directory already: leave the `cd` out',
    mistake:
      'The shell may still be in the directory of an earlier call; from there, the relative path does not exist.',
    remediation: 'Run the command without `cd`, or with the absolute path.',
    triggers: { tools: ['shell'], programs: [{ name: 'cd' }], directory: 'argument' },
    priority: 6,
    tags: ['topic:working-directory'],
    backtest: { tried: SHELL_CALLS, fired: 4, failed: 4, worked: 0 },
  },
  {
    key: 'gh-pr-create-asks',
    type: 'warning',
    summary: '`gh pr create` asks for title and text: give both',
    mistake: 'Without a terminal it says "must provide `--title` and `--body` (or `--fill`)".',
    remediation: '`gh pr create --title "…" --body "…"`, or `gh pr create --fill`',
    triggers: {
      tools: ['shell'],
      programs: [
        {
          name: 'gh',
          sub: ['pr', 'create'],
          args: {
            none: [
              '--title',
              '-t',
              '--fill',
              '-f',
              '--fill-first',
              '--fill-verbose',
              '--web',
              '-w',
              '--recover',
              '--help',
            ],
          },
        },
      ],
    },
    priority: 5,
    tags: ['tool:gh', 'topic:interactive'],
    backtest: { tried: SHELL_CALLS, fired: 1, failed: 1, worked: 0 },
  },
];
