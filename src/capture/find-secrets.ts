/**
 * Runs secretlint's rules over one source. We run them ourselves: secretlint's own runner sets every rule up again for
 * each text and keeps performance marks of each (120 MB after 8,000 texts), and a process that lives long scans many.
 */

/** The part of a secretlint rule's contract that we use. */
export interface LintRule {
  readonly meta: { readonly id: string };
  create(context: RuleContext, options: object): { file?(source: RuleSource): unknown };
}

export interface FoundSecret {
  /** `github`, `aws` … */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  /**
   * What the rule took for the secret. Needed besides the range: some rules give the range of the secret's length from
   * where its name begins, which leaves the secret's end outside.
   */
  readonly values: readonly string[];
}

interface RuleContext {
  readonly sharedOptions: object;
  createTranslator(messages: object): (messageId: string, data?: object) => Message;
  report(found: { readonly message: Message; readonly range: readonly [number, number] }): void;
  ignore(): void;
}

interface RuleSource {
  readonly content: string;
  /** No file: rules for certain file names then run on everything, or not at all where they would read the file. */
  readonly filePath: undefined;
  readonly ext: string;
  readonly contentType: 'text';
}

interface Message {
  readonly data?: object | undefined;
}

/** Rejects when a rule fails: then nobody knows what the text holds. */
export async function findSecrets(rules: readonly LintRule[], content: string): Promise<readonly FoundSecret[]> {
  const found: FoundSecret[] = [];
  const source: RuleSource = { content, filePath: undefined, ext: '', contentType: 'text' };
  for (const rule of rules) {
    const name = toRuleName(rule);
    const context: RuleContext = {
      sharedOptions: {},
      createTranslator: () => (_messageId, data) => ({ data }),
      report: ({ message, range: [start, end] }) => found.push({ rule: name, start, end, values: toTexts(message) }),
      ignore: () => {},
    };
    await rule.create(context, {}).file?.(source);
  }
  return found;
}

/** Asked of every rule for every batch of texts. */
const names = new WeakMap<LintRule, string>();

/** `@secretlint/secretlint-rule-github` is `github`. */
export function toRuleName(rule: LintRule): string {
  const name = names.get(rule) ?? rule.meta.id.replace(/^.*rule-/, '');
  names.set(rule, name);
  return name;
}

function toTexts({ data }: Message): readonly string[] {
  return Object.values(data ?? {}).filter((value) => typeof value === 'string' && value !== '');
}
