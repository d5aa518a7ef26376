/** How far a file was read, as it may be kept. */
import { toNamelessPath } from '../../base/forgotten.ts';
import type { ScanState } from '../../base/scan-state.ts';

/**
 * A memo may name the folder, and without it there is no reading on: then the whole file is read again. The tail is made of
 * the text.
 */
export function toNameless({ memo, tail: _, ...state }: ScanState): ScanState {
  const point = memo === undefined ? {} : { offset: 0, lines: 0 };
  return { ...state, ...point, path: toNamelessPath(state.path) };
}

/** Where nothing may be taken, not even the name of the file is kept: it tells the project and the session. */
export function toReadState(
  state: ScanState,
  { isKnown, wasRead, told, kept }: { isKnown: boolean; wasRead: boolean; told: number; kept: number },
): ScanState {
  return kept === 0 && !isKnown && (told > 0 || wasRead) ? toNameless(state) : state;
}
