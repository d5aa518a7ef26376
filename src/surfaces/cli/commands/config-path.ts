/** `oncebitten config path`: where the settings file is, or would be. */
import { existsSync } from 'node:fs';
import type { Handler } from '../command.ts';

export const run: Handler = async ({ home }) => {
  const exists = existsSync(home.configFile);
  return { json: { file: home.configFile, schema: home.configSchemaFile, exists }, text: home.configFile };
};
