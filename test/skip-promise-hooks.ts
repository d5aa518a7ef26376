/**
 * Loaded before each test file of a run. The test runner watches every promise to know which test a later error belongs
 * to, which takes up to a quarter of the time of tests that await a lot. Without that, a promise that nobody handles still
 * fails its file, and timers and streams still name their test.
 */
import { createRequire } from 'node:module';

interface Hooks {
  createHook(callbacks: object): unknown;
}

// The object that the runner itself reads `createHook` from: an import would be a copy.
const hooks = createRequire(import.meta.url)('node:async_hooks') as Hooks;
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
