/** Which lessons of a replay spoke where nothing was wrong, those that did so most often first. */
import type { FalseAlarms } from './backtest-report.ts';
import type { JudgedCall } from './judge-replay.ts';

const MAX_LESSONS = 20;

export function listFalseAlarms(judged: readonly JudgedCall[]): readonly FalseAlarms[] {
  const shown = judged.flatMap(({ call, deliveries }) => deliveries.map((one) => ({ ...one, call })));
  return [...Map.groupBy(shown, ({ delivery }) => delivery.slug)]
    .flatMap(([lesson, all]): readonly FalseAlarms[] => {
      const wrong = all.filter(({ hit }) => !hit);
      const last = wrong.at(-1);
      if (last === undefined) return [];
      const { agent, sessionId, callId, at, what } = last.call;
      const found = last.delivery.class;
      return [
        {
          lesson,
          ...(found === undefined ? {} : { class: found }),
          ...{ deliveries: all.length, hits: all.length - wrong.length, falseAlarms: wrong.length },
          example: { agent, sessionId, callId, at, what },
        },
      ];
    })
    .sort((a, b) => b.falseAlarms - a.falseAlarms || a.hits - b.hits || (a.lesson < b.lesson ? -1 : 1))
    .slice(0, MAX_LESSONS);
}
