/** Overview: what went wrong, what was learned, what it prevented, what to do next. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Answer, ask } from '../client.ts';
import { pick, useFilter, useRange } from '../filter.ts';
import { type Day, DayChart } from '../parts/day-chart.tsx';
import { HEALTH_KEY } from '../parts/live-updates.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Moment, Sentence, toCount, toNumber } from '../parts/words.tsx';

type Stats = Answer<'readStats'>;

export function Overview() {
  const asked = useRange();
  const stats = useQuery({
    queryKey: ['stats', asked],
    queryFn: ({ signal }) => ask('readStats', { query: asked }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Overview</h1>
      <Loaded query={stats}>
        {(data) =>
          (data.calls?.calls ?? 0) === 0 ? (
            <Nothing isFiltered={Object.keys(asked).length > 0} />
          ) : (
            <>
              <Headline stats={data} />
              <Figures stats={data} />
              <DayChart days={toDays(data)} />
              <div className="columns">
                <TopFailures />
                <NewLessons />
              </div>
              <NextSteps />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No calls match this filter" />
  ) : (
    <Empty title="No calls of agents are known yet">
      <p>
        Read past sessions with <code>oncebitten scan</code>, or connect an agent with <code>oncebitten install</code>.
      </p>
    </Empty>
  );
}

function Headline({ stats: { calls, totals } }: { readonly stats: Stats }) {
  if (calls === undefined) return null;
  return (
    <p className="headline">
      Your agents made {toCount(calls.calls, 'call')} in {toCount(calls.sessions, 'session')}.{' '}
      <strong>{toNumber(calls.failures)} failed</strong>, and {toNumber(calls.repeats)} of these failures had happened
      before.{' '}
      {totals.shown === 0
        ? 'No lesson was shown to an agent yet.'
        : `Lessons were shown ${toCount(totals.shown, 'time')}; after ${toNumber(totals.outcomes.clean)} of these, the mistake was not repeated.`}
    </p>
  );
}

function Figures({ stats: { calls, totals, added, latency } }: { readonly stats: Stats }) {
  const { effect } = totals;
  const attempts = calls?.cost.calls.mean;
  return (
    <ul className="tiles">
      <Tile value={effect === undefined ? '–' : toNumber(Math.round(effect.prevented * 100))}>
        {effect === undefined
          ? 'prevented repeats: not yet known, because it needs 5 results with a lesson and 5 without'
          : `fewer repeats per 100 times shown (95 % interval ${effect.interval.map((end) => Math.round(end * 100)).join(' to ')})`}
      </Tile>
      <Tile value={attempts === undefined ? '–' : String(Math.round(attempts * 10) / 10)}>
        calls until a failed call worked, on average
      </Tile>
      <Tile value={latency === undefined ? '–' : `${(latency.p50Us / 1000).toFixed(1)} ms`}>
        to decide about a call (median)
      </Tile>
      <Tile value={toNumber(added?.tokens ?? 0)}>tokens added to conversations</Tile>
    </ul>
  );
}

function Tile({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  return (
    <li>
      <strong>{value}</strong>
      <span>{children}</span>
    </li>
  );
}

/** Every day between the first and the last, because a gap in the work is a gap in the picture. */
function toDays({ calls, by }: Stats): readonly Day[] {
  const failed = new Map(calls?.days.map((one) => [one.day, one]));
  const shown = new Map(by.day.map((one) => [one.key, one.outcomes.clean]));
  const known = [...failed.keys(), ...shown.keys()].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days: Day[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    const { failures = 0, repeats = 0 } = failed.get(day) ?? {};
    days.push({ day, fresh: failures - repeats, repeats, prevented: shown.get(day) ?? 0 });
  }
  return days;
}

function TopFailures() {
  const asked = { ...useRange(), limit: '5' };
  const query = useQuery({
    queryKey: ['failures', asked],
    queryFn: ({ signal }) => ask('listFailures', { query: asked }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <h2>What costs most</h2>
      <Loaded query={query}>
        {({ items }) => (
          <ul className="rows">
            {items.map((kind) => (
              <li key={kind.signatureIds.join()}>
                <Link to="/failures/$signature" params={{ signature: kind.signature ?? '' }} search={(old) => old}>
                  {kind.program}: {kind.message}
                </Link>
                <p className="facts">
                  {toCount(kind.times, 'time')} in {toCount(kind.sessions, 'session')}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function NewLessons() {
  const asked = { ...pick(useFilter(), 'project'), sort: 'created', limit: '5' };
  const query = useQuery({
    queryKey: ['lessons', asked],
    queryFn: ({ signal }) => ask('listLessons', { query: asked }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <h2>New lessons</h2>
      <Loaded query={query}>
        {({ items }) => (
          <ul className="rows">
            {items.map((lesson) => (
              <li key={lesson.id}>
                <Link to="/lessons/$lesson" params={{ lesson: lesson.slug }} search={(old) => old}>
                  <Sentence text={lesson.summary} />
                </Link>
                <p className="facts">
                  {lesson.status}, learned <Moment at={lesson.createdAt} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

/** The most useful things to do now, the first one first. */
function NextSteps() {
  const waiting = useQuery({
    queryKey: ['lessons', 'waiting'],
    queryFn: ({ signal }) => ask('listLessons', { query: { needsReview: 'true', limit: '1' } }, signal),
  });
  const health = useQuery({ queryKey: [HEALTH_KEY], queryFn: ({ signal }) => ask('readHealth', {}, signal) });
  const drafts = waiting.data?.total ?? 0;
  const problems = health.data?.checks.filter(({ state }) => state === 'error' || state === 'warning') ?? [];
  if (drafts === 0 && problems.length === 0) return null;
  return (
    <section>
      <h2>What to do next</h2>
      <ul className="rows">
        {drafts > 0 && (
          <li>
            <Link to="/review" search={(old) => old}>
              Decide about {toCount(drafts, 'draft')}
            </Link>
          </li>
        )}
        {problems.map(({ name, detail }) => (
          <li key={name}>
            <Link to="/agents" search={(old) => old}>
              {name}: {detail}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
