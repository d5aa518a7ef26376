/** Lists of rules in Markdown, as in CLAUDE.md: every bullet that says what to do or not to do. */
import { toShortChars } from '../../base/short-text.ts';
import type { Triggers } from '../../base/trigger.ts';
import { type Candidate, type Candidates, NO_TRIGGERS } from './candidate.ts';
import { toRuleTriggers } from './to-rule-triggers.ts';

const BULLET = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const FENCE = /^\s*(?:```|~~~)/;
const RULE =
  /\b(?:always|never|must(?:n't)?|do not|don'?t|avoid|prefer|only|instead of|rather than|make sure|ensure|required?|forbidden|should(?:n't)?|before (?:you|any|each|every|committing|pushing)|no longer)\b|^(?:\*\*|_)?(?:use|run|keep|write|add|check|read|ask|put|name|test|commit|follow|update|create|call|set|start|stop|wait|verify|no)\b/i;
const URGENT = /\b(?:NEVER|ALWAYS|MUST|CRITICAL|IMPORTANT)\b/;
const MIN_CHARS = 8;
const MAX_SUMMARY = 300;
const MAX_RULE = 2_000;
/** Enough to see where the last word that has room ends. */
const MAX_READ = MAX_RULE * 2;

export interface RuleList extends Candidates {
  /** Bullets that state no rule. */
  readonly skipped: number;
}

export function parseRules(text: string): RuleList {
  const bullets = listBullets(text);
  const rules = bullets.filter(({ rule }) => rule.length >= MIN_CHARS && RULE.test(rule));
  return { candidates: rules.map(toCandidate), refused: [], skipped: bullets.length - rules.length };
}

interface Bullet {
  readonly line: number;
  readonly rule: string;
}

/** With the lines that go on with it; code between fences, comments, and what `promote` wrote are no rules. */
function listBullets(text: string): readonly Bullet[] {
  const bullets: { line: number; rule: string }[] = [];
  let [isCode, isOpen] = [false, false];
  for (const [n, raw] of dropComments(dropOwnBlock(text)).split(/\r?\n/).entries()) {
    if (FENCE.test(raw)) isCode = !isCode;
    const [, , rule] = isCode ? [] : (BULLET.exec(raw) ?? []);
    const isMore = isOpen && /^\s+\S/.test(raw) && !isCode && !FENCE.test(raw);
    const last = bullets.at(-1);
    if (rule !== undefined) bullets.push({ line: n + 1, rule: rule.trim().slice(0, MAX_READ) });
    else if (isMore && last !== undefined) last.rule = `${last.rule} ${raw.trim()}`.slice(0, MAX_READ);
    isOpen = rule !== undefined || isMore;
  }
  return bullets;
}

/** Lessons that we wrote there are known already. */
function dropOwnBlock(text: string): string {
  return text.replace(/^<!-- oncebitten:begin\b[\s\S]*?^<!-- oncebitten:end -->/m, (block) =>
    block.replace(/[^\n]/g, ''),
  );
}

/** Their lines stay, so that places stay. */
function dropComments(text: string): string {
  return text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ''));
}

function toCandidate({ line, rule: raw }: Bullet): Candidate {
  const bare = raw.replace(/\*\*|__(?=\S)|(?<=\S)__/g, '');
  const rule = toShortChars(bare, MAX_RULE) || bare.slice(0, MAX_RULE);
  const isLong = rule.length > MAX_SUMMARY;
  const triggers: Triggers = toRuleTriggers(rule) ?? NO_TRIGGERS;
  return {
    name: `line ${line}`,
    type: 'requirement',
    summary: toShortChars(rule, MAX_SUMMARY) || rule.slice(0, MAX_SUMMARY),
    mistake: '',
    remediation: isLong ? rule : '',
    body: { constraint: rule },
    triggers,
    priority: URGENT.test(rule) ? 7 : 5,
    confidence: 0.6,
    tags: [],
    remarks: [],
    dropped: [],
  };
}
