/** The person pressed Ctrl+C at a question. Nothing went wrong: the command ends without a word, as if the system had ended it. */
export class Interrupted extends Error {}

/** 128 and the number of the signal, as shells say it. */
export const INTERRUPTED_CODE = 130;
