/** Programs that show a file or a folder and do nothing else. */
export const SHOWING: readonly string[] = [
  ...['ls', 'cat', 'bat', 'head', 'tail', 'less', 'more', 'sed', 'wc', 'nl', 'stat', 'file', 'tree'],
];
