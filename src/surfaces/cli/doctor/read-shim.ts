/** What the installed shim runs, read from the line that `render-shim.ts` writes. */
import { readFileSync } from 'node:fs';

export interface InstalledShim {
  /** Folder of `hook.cjs`. */
  readonly app: string;
  readonly node: string;
}

const QUOTED = String.raw`'((?:[^']|'\\'')*)'`;
const LINE = new RegExp(`^home=${QUOTED} app=${QUOTED} node=${QUOTED}`, 'm');

/** Undefined when it is not one that we wrote. */
export function readShim(hookFile: string): InstalledShim | undefined {
  const [, , app, node] = LINE.exec(readFileSync(hookFile, 'utf8')) ?? [];
  return app === undefined || node === undefined ? undefined : { app: unquote(app), node: unquote(node) };
}

function unquote(text: string): string {
  return text.replaceAll(`'\\''`, "'");
}
