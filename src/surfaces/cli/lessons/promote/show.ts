/** `oncebitten lessons promote show`: all that a person needs to decide on one lesson. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../../../../base/model/lesson.ts';
import { isOpen, type Promotion } from '../../../../base/model/promotion.ts';
import type { Settings } from '../../../../base/model/settings.ts';
import { renderConditions } from '../../../../base/triggers/render-triggers.ts';
import {
  type Candidacy,
  judgeCandidate,
  makeProposal,
  type Proposal,
  toPercent,
} from '../../../../promote/candidates.ts';
import { toSectionName } from '../../../../promote/managed-block.ts';
import { applyPromotion } from '../../../../promote/promotions.ts';
import { isRefused } from '../../../../promote/transition.ts';
import { DEFAULT_FILE } from '../../agent-names.ts';
import { getNamed } from '../../arguments/lessons.ts';
import type { CommandInput, Handler } from '../../command.ts';
import { renderDiff } from '../../diff.ts';
import { readHome } from '../../open-home.ts';
import { toCount, toMinute, toPlainText } from '../../text.ts';
import { readTrack } from './list.ts';
import { listUsedFiles, type Place, toFileHead, toPlace, toPromotedText, toTargetFile } from './target-files.ts';

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const [name = ''] = input.arguments;
    const place = toPlace(input.cwd, await store.listProjectAliases());
    const all = await store.listPromotions();
    const one = all.find(({ id }) => id === name);
    const lesson = await getNamed(store, one?.lessonId ?? name);
    const promotions = all.filter(({ lessonId }) => lessonId === lesson.id);
    const track = await readTrack(store, lesson);
    const candidacy = judgeCandidate(lesson, track, settings.promotion);
    const { standing: verdict, ...why } = candidacy;
    const proposal = makeProposal(lesson, track, renderConditions(lesson.triggers));
    const files = listFiles(input, { lesson, promotions, place, one });
    const diffs = files.map((file) => ({ file, ...toDiff(file, lesson, settings, place) }));
    const text = toPromotedText(lesson);
    return {
      json: { lessonId: lesson.id, slug: lesson.slug, ...proposal, verdict, ...why, text, promotions, files: diffs },
      text: toPlainText(render(lesson, proposal, { candidacy, promotions, diffs, place })),
    };
  });

interface Known {
  readonly lesson: Lesson;
  readonly promotions: readonly Promotion[];
  readonly place: Place;
  readonly one: Promotion | undefined;
}

/** The target file: the requested one, else the proposed one, else the one that the project uses. */
function listFiles({ options }: CommandInput, { lesson, promotions, place, one }: Known): readonly string[] {
  const targets = options.target as readonly string[] | undefined;
  if (targets !== undefined) return targets.map((target) => toTargetFile(target, lesson, place));
  if (one !== undefined) return [one.file];
  const here = promotions.filter((promotion) => isOpen(promotion) && place.isHere(promotion.projectId));
  if (here.length > 0) return here.filter(({ state }) => state !== 'applied').map(({ file }) => file);
  const used = listUsedFiles(place.root);
  return used.length === 0 ? [DEFAULT_FILE] : used;
}

type Diff = { readonly diff: string } | { readonly refused: string };

function toDiff(file: string, lesson: Lesson, { promotion: limits }: Settings, { root }: Place): Diff {
  const bytes = findBytes(join(root, file));
  const text = toPromotedText(lesson);
  const result = applyPromotion(bytes, {
    ...{ slug: toSectionName(lesson), text, limits, force: true, head: toFileHead(file, lesson) },
    promotion: {},
  });
  return isRefused(result) ? { refused: result.refused } : { diff: renderDiff(file, bytes, result.bytes) };
}

interface More {
  readonly candidacy: Candidacy;
  readonly promotions: readonly Promotion[];
  readonly diffs: readonly ({ readonly file: string } & Diff)[];
  readonly place: Place;
}

function render({ slug, id }: Lesson, proposal: Proposal, { candidacy, promotions, diffs, place }: More): string {
  const { seen } = proposal.frequency;
  return [
    `${slug}  (${id})`,
    proposal.title,
    '',
    `  context     ${proposal.context}`,
    `  problem     ${indent(proposal.problem)}`,
    `  solution    ${indent(proposal.solution)}`,
    `  frequency   seen ${toCount(seen.times, 'time')} in ${toCount(seen.sessions, 'session')}, ${toCount(seen.projects, 'project')}`,
    `  effect      ${renderEffect(proposal)}`,
    `  proven      ${candidacy.standing === 'candidate' ? 'yes' : `no: it ${candidacy.reason}`}`,
    ...proposal.examples.map((example) => `  example     ${indent(example)}`),
    ...promotions.map((one) => renderPromotion(one, place)),
    ...diffs.flatMap((one) => ['', 'diff' in one ? one.diff : `${one.file} ${one.refused}`]),
  ].join('\n');
}

/** Of another project with its folder. */
function renderPromotion({ state, file, at, by, root, projectId }: Promotion, { isHere }: Place): string {
  return `  ${state.padEnd(11)} ${isHere(projectId) ? file : join(root, file)}  ${toMinute(at)}  ${by}`;
}

function renderEffect({ frequency: { judged, clean, sessions, effectiveness } }: Proposal): string {
  if (effectiveness === undefined) return 'not measured yet';
  return `agents avoided the mistake in ${clean} of ${judged} measured cases (${toPercent(effectiveness)}), in ${toCount(sessions, 'session')}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(14)}`);
}

function findBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
