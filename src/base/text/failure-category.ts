/**
 * Finds the category of a failure from its program and masked message. A new category is one row here and needs no
 * change of a table. The first matching row wins, so certain rows come before likely ones, and programs that only ever
 * run one kind of check come last.
 */
import { findCheckKind } from '../shell/program-kinds.ts';
import type { CheckKind } from '../shell/programs/vocabulary.ts';

interface CategoryRule {
  readonly category: string;
  readonly pattern: RegExp;
  /** Only for these programs. */
  readonly programs?: readonly string[];
}

/** The message does not show the category. */
export const OTHER_CATEGORY = 'other';

/** Categories of checks that judge the code, where a failure is work in progress. */
export const VERDICT_CATEGORIES: ReadonlySet<string> = new Set([
  'test_failure',
  'build_error',
  'lint_error',
  'type_error',
]);

const CATEGORY_RULES: readonly CategoryRule[] = [
  {
    category: 'stale_edit',
    pattern:
      /^(?:String to replace not found|Found <\*> match|No changes to make|File has (?:not been read|been (?:unexpectedly )?modified)|(?:apply_patch|<\*>) verification failed|Failed to find (?:expected lines|context))/,
  },
  { category: 'type_error', pattern: /^<\*> .*\(typecheck\)$/ },
  // Begins with a place and ends with the name of the rule.
  { category: 'lint_error', pattern: /^<\*> .*\s\([a-z][a-z0-9-]+\)$/ },
  {
    category: 'missing_dependency',
    pattern:
      /command not found|executable file not found|\bNo module named\b|\bModuleNotFoundError\b|Cannot find (?:module|package)|Could not resolve (?:dependency|"|<\*>$)|no required module provides|is not in std\b|updates to <\*> needed|error while loading shared libraries|Could not find a version that satisfies|No matching distribution|can't find crate|unresolved import|\bERESOLVE\b|: not found$/i,
  },
  {
    category: 'merge_conflict',
    pattern:
      /^CONFLICT \(|merge conflict|Automatic merge failed|could not apply <\*>|\bunmerged\b|needs merge|would be overwritten by/i,
  },
  {
    category: 'access_denied',
    pattern:
      /permission denied|operation not permitted|access (?:is )?denied|\b(?:EACCES|EPERM)\b|\b40[13]\b|\bunauthori[sz]ed\b|\bforbidden\b|authentication (?:failed|required)|could not read (?:Username|Password)|not logged in|bad credentials/i,
  },
  {
    category: 'network_error',
    pattern:
      /could not resolve host|name or service not known|no such host|getaddrinfo|network is (?:down|unreachable)|no route to host|failed to connect|error connecting|connection (?:refused|reset|closed|timed out)|\bECONN(?:REFUSED|RESET|ABORTED)\b|\bEAI_AGAIN\b|tls handshake|rate limit|too many requests|\b(?:429|50[234])\b|service unavailable|bad gateway|could not read from remote/i,
  },
  { category: 'timeout', pattern: /\btimed? ?out\b|deadline exceeded|\bETIMEDOUT\b/i },
  { category: 'runtime_error', pattern: /^panic:|exec format error|segmentation fault|core dumped|out of memory/i },
  {
    category: 'type_error',
    pattern:
      /\bTS\d{4}\b|is not assignable to|^error\[E0308\]|mismatched types|^(?:vet: )?<\*> (?:undefined\b|cannot use |not enough arguments|too many arguments|assignment mismatch|invalid operation|declared and not used|imported and not used|missing return|redeclared|no new variables|is not a type|unknown field)|incompatible types?\b/,
  },
  {
    category: 'test_failure',
    pattern:
      /^--- FAIL|^(?:FAIL|FAILED|E {2,})\b|\bAssertionError\b|^[Aa]ssertion |assertion failed|test result: FAILED|<\*> (?:tests? |specs? |suites? )?(?:failed|failing)(?:$|[,;.])|\b[Ee]xpect(?:ed)?\b.*\b(?:got|received|but|actual|to be|to equal)\b|\bgot\b.*\bwant\b|\bwant\b.*\bgot\b|= <\*>, want\b|^(?:Error:|<\*>:?) .*\b[Ss]hould (?:be|not|have|contain)\b/,
  },
  // Tests print a colon after the place, the compiler does not.
  { category: 'test_failure', pattern: /^<\*>: /, programs: ['go'] },
  {
    category: 'lint_error',
    pattern:
      /^<\*> [A-Z]{1,4}\d{3,4}\b|code style issues|would reformat|not (?:properly )?formatted|\b(?:no|prefer)-[a-z]+(?:-[a-z]+)*$|^<\*> (?:problems?|issues?)\b/i,
  },
  {
    category: 'config_error',
    pattern:
      /missing script|no rule to make target|pars(?:ing|e) (?:the )?config|(?:invalid|bad|missing|no|unknown) (?:\S+ )?config|environment variable|unsupported engine|not a git repository|no upstream|no (?:such )?remote\b|is not trusted|no tasks? (?:\S+ )?(?:found|defined)|cannot find main module|please tell me who you are/i,
  },
  {
    category: 'build_error',
    pattern:
      /could not compile|build failed|compilation (?:failed|error)|undefined reference|linker command failed|^error\[E\d+\]|build constraints exclude|no Go files in|^<\*> (?:syntax error|error:|expected <\*>, found)|^make(?:\[<\*>\])?: \*\*\*/i,
  },
  {
    category: 'wrong_usage',
    pattern:
      /(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|no such|ambiguous) (?:[\w-]+ ){0,2}(?:flags?|options?|arguments?|parameters?|switch|(?:sub-?)?commands?|skill|tool|usage|revision)\b|flag provided but not defined|parameter cannot be found\b|cannot bind (?:argument to )?parameter|missing an argument for parameter|(?:requires|expects|accepts) (?:at (?:most|least)|an?|between|exactly)\b|\bno matches found|parse error|syntax error|unexpected (?:EOF|end of file|token)|validation ?error|failed to parse (?:function arguments|jq)|exceeds? (?:the )?maximum|\busage:|unterminated|Agent type <\*> not found|unknown MCP server|not a (?:tty|terminal)\b|are ignored by one of|\bnon-uuid\b/i,
  },
  {
    category: 'missing_path',
    pattern:
      /no such file|does not exist|\bENOENT\b|cannot find the (?:file|path)|\bnot a directory|is a directory|\b(?:EISDIR|ENOTDIR)\b|(?:file|directory|path) not found|did not match any file|cannot access|can't (?:open|cd)/i,
  },
  { category: 'not_found', pattern: /\b404\b|\bnot found\b|\bno \S+(?: \S+)? found\b|\bunknown process/i },
  {
    category: 'runtime_error',
    pattern:
      /^Traceback|\b[A-Z]\w*(?:Error|Exception)\b|\b(?:[Uu]ncaught|[Uu]nhandled)\b|^fatal error:|[Ss]tack overflow|\bSIG(?:SEGV|ABRT|KILL)\b/,
  },
];

const BY_CHECK: Readonly<Record<CheckKind, string>> = {
  test: 'test_failure',
  lint: 'lint_error',
  types: 'type_error',
  build: 'build_error',
};

/** Masked lines are shorter. The time of some rules grows with the square of the length. */
const MAX_CHARS = 4_000;

export function toCategory({ program, template }: { readonly program: string; readonly template: string }): string {
  const text = template.slice(0, MAX_CHARS);
  const rule = CATEGORY_RULES.find(
    ({ pattern, programs }) => programs?.includes(program) !== false && pattern.test(text),
  );
  if (rule !== undefined) return rule.category;
  const check = findCheckKind({ program, args: [], text: program }, undefined);
  return check === undefined ? OTHER_CATEGORY : BY_CHECK[check];
}
