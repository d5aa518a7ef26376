/** What a run of a client shows of itself: to the model in its requests, to the user in what it prints. */
import type { ModelRequest, RunResult, StepResult, Turn } from './rig.ts';

export const DONE: Turn = { text: 'Done.' };

export function call(command: string): Turn {
  return { text: 'I ship.', tools: [{ name: 'Bash', input: { command, description: 'ship' } }] };
}

/** A sub-agent that the main conversation waits for. */
export function toSubagent(story: string) {
  const input = { description: 'd', prompt: `STORY-${story} go`, subagent_type: 'general-purpose' };
  return { name: 'Agent', input: { ...input, run_in_background: false } };
}

export function toRequests({ requests }: RunResult, route: string): readonly ModelRequest[] {
  return requests.filter((one) => one.route === route);
}

/** Every text in a request, one after the other. */
export function toTexts(request: ModelRequest | undefined): string {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(request?.body);
  return texts.join('\n');
}

/** How often a lesson was told in a conversation: what was told stays in it. */
export function countTold(request: ModelRequest | undefined, slug: string): number {
  return toTexts(request).split(`"lesson":"${slug}"`).length - 1;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** The results of tools in a request, in their order. */
export function listResults(request: ModelRequest | undefined): readonly ToolResult[] {
  const { messages = [] } = (request?.body ?? {}) as { messages?: readonly { content: unknown }[] };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Block[]) : []));
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error }) => ({
      text: typeof content === 'string' ? content : JSON.stringify(content),
      isError: is_error === true,
    }));
}

interface Block {
  readonly type?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

export interface HookAnswer {
  readonly event: string;
  readonly stdout: string;
}

type Printed = Readonly<Record<string, unknown>>;

export function listPrinted({ out }: StepResult): readonly Printed[] {
  return out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Printed);
}

/** What our hooks answered, as the client saw it. */
export function listAnswers(step: StepResult | undefined): readonly HookAnswer[] {
  return (step === undefined ? [] : listPrinted(step))
    .filter(({ subtype }) => subtype === 'hook_response')
    .map(({ hook_event, stdout }) => ({ event: String(hook_event), stdout: String(stdout) }));
}

/** The last words of a run. */
export function toFinalText(step: StepResult | undefined): string {
  const last = step && listPrinted(step).findLast(({ type }) => type === 'result');
  return String(last?.result ?? '');
}

/** What the client showed its user. */
export function toNotices(step: StepResult | undefined): string {
  const told = (step === undefined ? [] : listPrinted(step)).filter(({ subtype }) => subtype === 'informational');
  return told.map(({ content }) => String(content)).join('\n');
}

/** The session that a step ended in: `/clear` begins another. */
export function toSessionId(step: StepResult | undefined): string {
  const last = step && listPrinted(step).findLast(({ session_id }) => session_id !== undefined);
  return String(last?.session_id ?? '');
}
