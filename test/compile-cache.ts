/**
 * For the environment of processes that run `dist/`: what one of them has compiled the others find, in a folder of this
 * run alone. Empty where a test file is run by itself.
 */
const { NODE_COMPILE_CACHE } = process.env;

export const COMPILE_CACHE: Readonly<Record<string, string>> =
  NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
