/**
 * The reader of code mode's scripts, loaded when the first script comes: it brings a JavaScript parser, which sessions
 * without scripts and everything that runs while an agent waits need not load.
 */
type ScriptReader = typeof import('./scripts/read-script.ts');

let reader: ScriptReader | undefined;

/** Undefined until it is loaded. */
export function findScriptReader(): ScriptReader | undefined {
  return reader;
}

export async function loadScriptReader(): Promise<void> {
  reader = await import('./scripts/read-script.ts');
}
