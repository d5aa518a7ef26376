/**
 * The one step of an edit that the error points at. Two calls of an agent often differ in more than the mistake: another
 * host, another namespace, another target. Those differences were the agent's wish of that day, and no advice.
 */
import type { CommandEdit, EditStep, EditWord, Hole, WordStep } from '../../base/command-edit.ts';
import { isOption } from '../../base/program-words.ts';
import type { Culprit } from './culprit.ts';

export interface Cure {
  readonly edit: CommandEdit;
  /** Words of the step that are no objects of that day: the culprit, and the word that took its place. */
  readonly lasting: readonly string[];
}

/** Undefined where nobody can tell which difference made the command work. */
export function findCure(edit: CommandEdit, culprit: Culprit): Cure | undefined {
  const steps = fillCopies(edit.steps);
  const named = steps.filter((step) => findNamed(step, culprit) >= 0);
  const [step] = named.length === 0 && steps.length === 1 ? steps : named;
  if (step === undefined || named.length > 1) return undefined;
  if (named.length === 0) return isOtherMeans(step) ? { edit, lasting: [] } : undefined;
  if (!('from' in step)) return { edit: { ...edit, steps: [step] }, lasting: [culprit.word] };
  // A word that went while another option came may have moved there, or may have been replaced by it.
  if (step.to.length === 0 && steps.some((other) => other !== step && bringsOption(other))) return undefined;
  const at = findNamed(step, culprit);
  const cure = culprit.role === 'option' ? narrowOption(step, at) : narrowWord(step, at);
  if (cure === undefined) return undefined;
  const copied = copyObjects(cure);
  // In the same place among the words of the step; an option stands first, and its value second.
  const place = cure.from.length - 1;
  const come = culprit.role === 'option' ? undefined : copied.to[place];
  const lasting = culprit.absent === true || come === undefined ? [] : [toObject(come)];
  return { edit: { ...edit, steps: [copied] }, lasting: [culprit.word, ...lasting] };
}

/** The only difference between the two calls, which leaves the culprit in place: another program, an added option, quotes. */
function isOtherMeans(step: EditStep): boolean {
  return 'quote' in step || ('from' in step && (step.at === 0 || step.from.length === 0));
}

function bringsOption(step: EditStep): boolean {
  if (!('from' in step)) return false;
  const [gone, come] = [step.from, step.to].map((words) => words.filter((word) => isOption(toTyped(word))).length);
  return (come ?? 0) > (gone ?? 0);
}

function findNamed(step: EditStep, { word, cluster, role }: Culprit): number {
  if ('list' in step) return step.list.includes(word) ? 0 : -1;
  if (!('from' in step) || step.at === 0) return -1;
  const isNamed = (text: string): boolean => {
    if (text === word || text === cluster) return true;
    if (role === 'option') return text.startsWith(`${word}=`);
    const isAttached = role === 'value' && /^-\w/.test(text) && text.slice(2) === word;
    return isAttached || (role === 'value' && /[=,]/.test(text) && text.split(/[=,]/).includes(word));
  };
  return step.from.findIndex((one) => isNamed(toTyped(one)));
}

/**
 * An option and the word behind it, which may be its value or what the command is done to. Where that word changed with the
 * option, the new one is only a hole: the lesson tells the option, and gives no later call a value of that day.
 */
function narrowOption({ from, to }: WordStep, at: number): WordStep | undefined {
  const [option] = to;
  if (at !== 0 || (option !== undefined && !isOption(toTyped(option)))) return undefined;
  const isEven = from.length === to.length;
  const [gone, come] = isEven ? [from.slice(0, 2), to.slice(0, 2)] : [from, to];
  if (gone.length > 2 || [...gone.slice(1), ...come.slice(1)].some((word) => isOption(toTyped(word)))) {
    // `-- --nocapture` for `--no-captures`: one option, which another program is given.
    const isPassedOn = gone.length === 1 && come.length === 2 && option === '--';
    return isPassedOn ? { from: gone, to: come } : undefined;
  }
  if (come.length > 2) return undefined;
  return come.length < 2 ? { from: gone, to: come } : { from: hideValues(gone), to: hideValues(come) };
}

function hideValues(words: readonly EditWord[]): readonly EditWord[] {
  return words.map((word, i) => {
    const isValue = i > 0 && typeof word === 'string' && !isOption(word) && isOption(toTyped(words[i - 1] ?? ''));
    return isValue ? { any: 'name', object: word } : word;
  });
}

/** The word alone, with the option that it is the value of. */
function narrowWord({ from, to }: WordStep, at: number): WordStep | undefined {
  const start = at > 0 && isOption(toTyped(from[at - 1] ?? '')) ? at - 1 : at;
  if (from.length === to.length) return { from: from.slice(start, at + 1), to: to.slice(start, at + 1) };
  // More words for one: which of them were needed is not known, so their values are told by kind only.
  const isAlone = start === 0 && from.length === at + 1;
  const hasValue = to.some((word) => /^--?[^=]+=/.test(toTyped(word)));
  return isAlone && !hasValue ? { from, to: hideValues(to) } : undefined;
}

/** Copies count the holes of all steps. Steps that go would change that count: each hole names its object instead. */
function fillCopies(steps: readonly EditStep[]): readonly EditStep[] {
  const objects = steps.flatMap((step) => ('from' in step ? step.from.filter(isHole).map(toObject) : []));
  const fill = (word: EditWord): EditWord => {
    if (!isHole(word) || word.copy === undefined) return word;
    const { copy, ...hole } = word;
    const object = objects[copy];
    return object === undefined ? hole : { ...hole, object };
  };
  return steps.map((step) => ('from' in step ? { ...step, to: step.to.map(fill) } : step));
}

function copyObjects({ from, to }: WordStep): WordStep {
  const objects = from.filter(isHole).map(toObject);
  const copied = to.map((word): EditWord => {
    const copy = isHole(word) ? objects.indexOf(toObject(word)) : -1;
    if (!isHole(word) || copy < 0) return word;
    const { object: _, ...hole } = word;
    return { ...hole, copy };
  });
  return { from, to: copied };
}

function isHole(word: EditWord): word is Hole {
  return typeof word !== 'string';
}

function toObject(word: EditWord): string {
  return typeof word === 'string' ? word : (word.object ?? '');
}

function toTyped(word: EditWord): string {
  return typeof word === 'string' ? word : `${word.prefix ?? ''}${word.object ?? ''}`;
}
