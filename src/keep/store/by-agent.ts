/** Not what the agent recorded about somebody's hooks. */
import { sql } from 'kysely';
import { HOOK_TOOL_PREFIX } from '../../base/is-hook-run.ts';

export const BY_AGENT = sql<boolean>`(raw_tool_name not like ${sql.lit(`${HOOK_TOOL_PREFIX}%`)})`;
