/**
 * For the environment of processes that run `dist/`: what one of them has compiled the others find, in a folder of this
 * run alone, because tests run copies of `dist/` from temporary folders. Empty where a test file is run by itself.
 */
export const COMMAND_CACHE_VARIABLE = 'ONCEBITTEN_TEST_COMPILED';

const folder = process.env[COMMAND_CACHE_VARIABLE];

export const COMPILE_CACHE: Readonly<Record<string, string>> =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
