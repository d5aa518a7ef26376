/** Where the person stands: npm runs a script in the folder of its package, wherever it was called. */
import { join } from 'node:path';

/** The script of package.json that runs a command. */
const NPM_SCRIPT = 'oncebitten';

/** Undefined where npm has nothing to do with it: then it is the folder we are in. */
export function findCallersFolder(env: NodeJS.ProcessEnv, packageRoot: string): string | undefined {
  const { INIT_CWD: folder, npm_lifecycle_event: script, npm_package_json: of } = env;
  // A script of the user's own package that calls us runs where it should.
  return script === NPM_SCRIPT && of === join(packageRoot, 'package.json') ? folder : undefined;
}
