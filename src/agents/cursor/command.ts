/** Our commands and skills in Cursor, which sends the whole file of a command to the model, front matter and all. */
import { makeMarkdownCommands } from '../command-files.ts';
import { facts } from './facts.ts';

export const cursorCommands = makeMarkdownCommands(facts);
