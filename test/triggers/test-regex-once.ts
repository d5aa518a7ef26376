/** Prints whether a lesson's regex holds: in a process of its own, which can be ended should it never return. */
import { testRegex } from '../../src/base/triggers/regex.ts';

const [source = '', text = ''] = process.argv.slice(2);
process.stdout.write(String(testRegex(source, text)));
