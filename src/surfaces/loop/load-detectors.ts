/**
 * Our detectors, and those of the user's own modules (setting `detectorPlugins`). A module that cannot be used is left out
 * and told of; a detector that throws has seen nothing. What they find is guarded and gated like anything else.
 */
import { pathToFileURL } from 'node:url';
import type { Detector } from '../../base/detector.ts';
import { toReason } from '../../base/errors.ts';
import { DETECTORS } from '../../distill/detectors.ts';

/** Kept with every lesson: `acme/no-force-push@1`. Ours begin with `distill/`. */
const NAME = /^(?!distill\/)[\w.-]+\/[\w.-]+@\d+$/;

export async function loadDetectors(
  files: readonly string[],
  log: (line: string) => void,
): Promise<readonly Detector[]> {
  const all = [...DETECTORS];
  for (const file of files) {
    try {
      const { default: given } = (await import(pathToFileURL(file).href)) as { default: unknown };
      for (const one of Array.isArray(given) ? given : [given]) all.push(toSafe(getDetector(one), log));
    } catch (error) {
      log(`detectors of ${file} are left out: ${toReason(error)}`);
    }
  }
  return all;
}

function getDetector(given: unknown): Detector {
  const { name, detect } = (given ?? {}) as Partial<Detector>;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new Error('its default export needs a name such as "acme/no-force-push@1"');
  if (typeof detect !== 'function') throw new Error(`${name} has no function "detect"`);
  return given as Detector;
}

function toSafe(detector: Detector, log: (line: string) => void): Detector {
  let isTold = false;
  return {
    name: detector.name,
    detect(window) {
      try {
        return detector.detect(window).map((finding) => ({ ...finding, detector: detector.name }));
      } catch (error) {
        if (!isTold) log(`detector ${detector.name} failed: ${toReason(error)}`);
        isTold = true;
        return [];
      }
    },
  };
}
