/** How the person called us, for what we tell them to type: in a clone, or with npx, `oncebitten` is not on the PATH. */
import { dirname } from 'node:path';
import { quoteWord } from './quote-word.ts';

const NAME = 'oncebitten';

export function toCaller(env: NodeJS.ProcessEnv): string {
  const { npm_lifecycle_event: event, npm_package_name: name } = env;
  if (event === 'npx') return `npx ${NAME}`;
  // A script of another package has us on its PATH.
  if (event === undefined || (name !== undefined && name !== NAME)) return NAME;
  const { INIT_CWD: folder, npm_package_json: of } = env;
  const place =
    of === undefined || folder === undefined || isIn(folder, dirname(of)) ? '' : ` --prefix ${quoteWord(dirname(of))}`;
  return `npm${place} run -s ${NAME} --`;
}

/** There npm finds the package by itself. */
function isIn(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}
