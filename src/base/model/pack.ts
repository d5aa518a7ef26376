/** A pack: failures of one project, written down so that a language model can propose lessons about them. */

/** In the first line of every prompt of ours. Readers of past sessions skip a session that begins with it. */
export const PACK_MARKER = 'oncebitten-pack';
