/** Our commands and skills in OpenCode. */
import { makeMarkdownCommands } from '../command-files.ts';
import { facts } from './facts.ts';

export const opencodeCommands = makeMarkdownCommands(facts);
