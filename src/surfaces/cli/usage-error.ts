/**
 * The command line itself is wrong: a word that is missing, too much or not known, a value that can be none, options that
 * exclude each other. Nothing that is stored would make it right. The one kind of error that ends with exit code 2.
 */
import { UserError } from '../../base/errors.ts';

export class UsageError extends UserError {}
