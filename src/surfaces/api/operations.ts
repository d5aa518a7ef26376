/** All operations of the API. */

import { FAILURE_OPERATIONS } from './failure-operations.ts';
import { LESSON_OPERATIONS } from './lesson-operations.ts';
import { SYSTEM_OPERATIONS } from './system-operations.ts';

export const OPERATIONS = { ...FAILURE_OPERATIONS, ...LESSON_OPERATIONS, ...SYSTEM_OPERATIONS };
export type Operations = typeof OPERATIONS;
