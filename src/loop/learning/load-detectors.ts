/**
 * Loads the built-in detectors that are not switched off, and those of the user's modules. A module that cannot be used
 * is skipped and logged; a detector that throws finds nothing. Guard and gate apply to all findings.
 */

import { pathToFileURL } from 'node:url';
import { toReason } from '../../base/errors.ts';
import type { DetectorSettings } from '../../base/model/settings.ts';
import { DETECTORS } from '../../distill/detect-findings.ts';
import type { Detector } from '../../distill/detector.ts';

/** A detector's name, such as `acme/no-force-push@1`, is stored with its lessons. Built-in names begin with `distill/`. */
const NAME = /^(?!distill\/)[\w.-]+\/[\w.-]+@\d+$/;

export async function loadDetectors(
  { detectorPlugins, detectorsOff }: Omit<DetectorSettings, 'detection'>,
  log: (line: string) => void,
): Promise<readonly Detector[]> {
  const off = new Set(detectorsOff.map((name) => `distill/${name}`));
  const all = DETECTORS.filter(({ name }) => !off.has(name.replace(/@\d+$/, '')));
  for (const file of detectorPlugins) {
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
  let isLogged = false;
  return {
    name: detector.name,
    detect(window) {
      try {
        return detector.detect(window).map((finding) => ({ ...finding, detector: detector.name }));
      } catch (error) {
        if (!isLogged) log(`detector ${detector.name} failed: ${toReason(error)}`);
        isLogged = true;
        return [];
      }
    },
  };
}
