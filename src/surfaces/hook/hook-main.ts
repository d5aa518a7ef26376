/**
 * `hook.cjs`: runs `hook-body.cjs` from V8's code cache, which is written after a complete call and so contains every
 * function that a call needs. Node's own compile cache is written before any function ran, so each call would compile
 * them again, which takes 2.6 ms.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Body = (module: { exports: { runHook?: () => boolean } }, require: NodeJS.Require, __dirname: string) => void;

function main(): void {
  const file = join(__dirname, 'hook-body.cjs');
  const cacheFile = join(__dirname, 'cache', `${process.version}-${process.arch}`);
  const cachedData = attempt(() => readFileSync(cacheFile));
  const source = `(function (module, require, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const module: Parameters<Body>[0] = { exports: {} };
  (script.runInThisContext() as Body)(module, require, __dirname);
  const isWhole = module.exports.runHook?.() === true;
  // V8 rejects a cache that was written with other flags: remove it, and a later call writes a new one.
  if (script.cachedDataRejected === true) attempt(() => rmSync(cacheFile));
  else if (cachedData === undefined && isWhole) attempt(() => writeCache(cacheFile, script.createCachedData()));
}

function writeCache(file: string, data: Buffer): void {
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, data, { mode: 0o600 });
  renameSync(draft, file);
}

function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

attempt(main);
