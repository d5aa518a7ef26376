/** A tool's canonical name, in the schemas of what is captured. */
import { z } from 'zod';
import { TOOL_NAMES } from '../base/tool.ts';

export const toolSchema = z.union([z.enum(TOOL_NAMES), z.templateLiteral(['mcp:', z.string()])]);
