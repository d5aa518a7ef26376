/** The commands about stored data: backups, removal, and the projects that the data belongs to. */
import { type Command, type CommandGroup, YES_OPTION } from '../command.ts';

const DRY_RUN = { '--dry-run': 'Only show what would be removed' };

export const DATA_COMMANDS: readonly (Command | CommandGroup)[] = [
  {
    name: 'data',
    summary: 'Back up, restore and delete what Oncebitten stores',
    about:
      'Back up, restore and delete what Oncebitten stores: sessions, calls, lessons and statistics, in a database in the data directory (or on the PostgreSQL server of the setting store.url).',
  },
  {
    name: 'data backup',
    oldNames: ['backup'],
    summary: 'Write everything stored into one file',
    about:
      'Write everything that was captured and learned into one file: sessions, calls, lessons and statistics. The file contains no settings and no hooks. The daemon may keep running. `oncebitten data restore` reads the file.',
    options: {
      '--out <file>': 'File to write (default: a new file in backups/ of the data directory)',
      '--force': 'Replace the file if it exists',
    },
    examples: ['oncebitten data backup', 'oncebitten data backup --out /mnt/usb/oncebitten.jsonl.gz'],
    load: async () => (await import('./backup.ts')).runBackup,
  },
  {
    name: 'data restore',
    oldNames: ['restore'],
    summary: 'Replace everything stored with a backup',
    about:
      'Replace everything stored with a backup; what is stored now is backed up first. Without a file, list the backups. (For archived lessons, use `oncebitten lessons restore`.)',
    arguments: { '[file]': 'Backup file, of a SQLite or PostgreSQL store (default: list the backups)' },
    options: { '--dry-run': 'Only check the file, and show what would be restored', ...YES_OPTION },
    examples: ['oncebitten data restore', 'oncebitten data restore oncebitten.jsonl.gz --dry-run'],
    load: async () => (await import('./backup.ts')).runRestore,
  },
  {
    name: 'data forget',
    oldNames: ['forget'],
    summary: 'Delete a project, a session or everything, for good',
    about:
      'Delete for good what is stored about a project, about a session, or everything. Give exactly one of --project, --session and --all. This deletes calls, sessions and statistics, and the lessons that were learned only there. No later scan brings the data back, not even `scan --again`; new calls are captured again, unless you `pause`.',
    options: {
      '--project [project]':
        'Project to delete: a folder, or an id or name that `data projects list` shows; without a value: the project of this folder',
      '--session <id>':
        'Session to delete, with its sub-agents: full id, as `oncebitten sessions` shows it, or a unique prefix',
      '--all':
        'Delete everything that was captured and learned, and the backups in the data directory; settings and hooks stay',
      ...DRY_RUN,
      ...YES_OPTION,
    },
    examples: ['oncebitten data forget --project . --dry-run', 'oncebitten data forget --session 0b1c2d --yes'],
    load: async () => (await import('./forget.ts')).run,
  },
  {
    name: 'data retention',
    oldNames: ['retention'],
    summary: 'Delete data that is older than your settings allow',
    about:
      'Delete data that is older than the settings retention.* allow; by default texts of calls after 30 days, calls and sessions after 400 days. The daemon does the same once a day, for at most 20% of the rows of each kind; this command asks before it deletes more than that.',
    options: {
      ...DRY_RUN,
      '--yes':
        'Do not ask for confirmation: write a backup, delete everything that is due (even more than 20%), and archive drafts and lessons that are too old',
      '--trust-clock':
        "Delete although Oncebitten doubts this machine's clock; use this option only if the time is right",
    },
    examples: ['oncebitten data retention --dry-run'],
    load: async () => (await import('./retention.ts')).run,
  },
  {
    name: 'data projects',
    summary: 'List projects, and join two that are the same',
    about:
      'A project is a repository with all its clones and worktrees, or a folder outside of repositories. Lessons, failures and statistics belong to a project.',
  },
  {
    name: 'data projects list',
    otherNames: ['projects list'],
    summary: 'List projects with their folders, sessions and calls',
    examples: ['oncebitten data projects list'],
    load: async () => (await import('./projects.ts')).runList,
  },
  {
    name: 'data projects join',
    oldNames: ['projects join'],
    summary: 'Join two projects after a folder or remote was renamed',
    about:
      'Make one project part of another, because its folder was moved or its git remote was renamed. From then on, sessions, failures and lessons of both are those of one project. To undo it: `oncebitten data projects split`.',
    arguments: {
      '<from>': 'Old project: an id, a folder (which may be gone) or a name',
      '<into>': 'Project that it is now: an id, a folder or a name',
    },
    options: { '--dry-run': 'Only show what would be joined' },
    examples: [
      'oncebitten data projects join ~/old/shop ~/new/shop',
      'oncebitten data projects join prj_1a2b . --dry-run',
    ],
    load: async () => (await import('./projects.ts')).runJoin,
  },
  {
    name: 'data projects split',
    oldNames: ['projects split'],
    summary: 'Undo a join: make a project separate again',
    about:
      'Undo a join, even if a scan made it: each project gets its own sessions and lessons again, and no scan joins the two.',
    arguments: { '<from>': 'Project that was joined: an id, a folder or a name' },
    examples: ['oncebitten data projects split ~/old/shop'],
    load: async () => (await import('./projects.ts')).runSplit,
  },
];
