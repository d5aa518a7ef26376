/** Prints whether a lesson's regex matches, in a process of its own that can be killed if it never returns. */
import { testRegex } from '../../src/base/triggers/regex.ts';

const [source = '', text = ''] = process.argv.slice(2);
process.stdout.write(String(testRegex(source, text)));
