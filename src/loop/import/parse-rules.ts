/**
 * Parses rule lists in Markdown, such as CLAUDE.md, into candidate lessons: one for every bullet that says to do or not
 * to do something. A rule fires on the command or file that it names between backticks; if it names several, the one
 * that it warns of comes first.
 */

import { toOptionTrigger } from '../../base/shell/command-words.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { toNamedCommands } from '../../distill/propose/self-reports/to-named-commands.ts';
import { type Candidate, type Candidates, NO_TRIGGERS } from './candidate.ts';

const BULLET = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const FENCE = /^\s*(?:```|~~~)/;
const RULE =
  /\b(?:always|never|must(?:n't)?|do not|don'?t|avoid|prefer|only|instead of|rather than|make sure|ensure|required?|forbidden|should(?:n't)?|before (?:you|any|each|every|committing|pushing)|no longer)\b|^(?:\*\*|_)?(?:use|run|keep|write|add|check|read|ask|put|name|test|commit|follow|update|create|call|set|start|stop|wait|verify|no)\b/i;
const URGENT = /\b(?:NEVER|ALWAYS|MUST|CRITICAL|IMPORTANT)\b/;
const MIN_CHARS = 8;
const MAX_SUMMARY = 300;
const MAX_RULE = 2_000;
/** Enough to find the last word that fits. */
const MAX_READ = MAX_RULE * 2;

interface RuleList extends Candidates {
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

/** Bullets with their continuation lines, without fenced code, comments and the block that `promote` wrote. */
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

/** Removes the block that `promote` wrote, because its lessons are known. */
function dropOwnBlock(text: string): string {
  return text.replace(/^<!-- oncebitten:begin\b[\s\S]*?^<!-- oncebitten:end -->/m, (block) =>
    block.replace(/[^\n]/g, ''),
  );
}

/** Removes comments but keeps their lines, so that line numbers stay right. */
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

const SPAN = /`([^`\n]+)`/g;
/** Words before something that should not be done, or that needs another step first. */
const AGAINST =
  /\b(?:instead of|rather than|never|not|don'?t|avoid|without|over|before|forbidden|no|stop)\b[^`.;]{0,40}$/i;
const RUNNING = /\b(?:run|running|execute|executing|call|calling|command)\s+$/i;
const FILE = /^(?!-)[\w.*@+{},-]*(?:\/[\w.*@+{},-]*)+$|^[\w*@+-]*\.[a-z][\w]{0,7}$/i;
const NO_FILE = /^(?:\.{1,2}\/?|\/|\*+|\d[\d.]*)$|^https?:/;
const READS = /\bread(?:ing)?\b|\blook(?:ing)? at\b|\bopen(?:ing)?\b/i;

interface Named {
  readonly span: string;
  readonly before: string;
}

/** The command or file that the rule names between backticks; one that it warns of comes first. */
function toRuleTriggers(rule: string): Triggers | undefined {
  const named = [...rule.matchAll(SPAN)].map((match) => ({
    span: (match[1] ?? '').trim(),
    before: rule.slice(0, match.index),
  }));
  const against = named.filter(({ before }) => AGAINST.test(before));
  for (const one of [...against, ...named]) {
    const triggers = toFileTriggers(one, rule) ?? toCommandTriggers(one);
    if (triggers !== undefined) return triggers;
  }
  return undefined;
}

function toFileTriggers({ span }: Named, rule: string): Triggers | undefined {
  if (!FILE.test(span) || NO_FILE.test(span)) return undefined;
  const glob = span.replace(/^\.\//, '').replace(/\/$/, '/**');
  if (glob === '' || /^[*/.]*$/.test(glob)) return undefined;
  return { tools: READS.test(rule) ? ['read', 'edit', 'write'] : ['edit', 'write'], paths: [glob] };
}

/** A single word is not enough, because it may be the name of a function or a type. */
function toCommandTriggers({ span, before }: Named): Triggers | undefined {
  if (!/\s/.test(span) && !RUNNING.test(before)) return undefined;
  const [command] = toNamedCommands(`\`${span}\``)[0] ?? [];
  return command === undefined || !/^[a-z]/.test(command.program)
    ? undefined
    : { tools: ['shell'], programs: [toOptionTrigger(command)] };
}
