/** Overview: what went wrong, what was learned, what it prevented, what to do next. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Answer, ask } from '../client.ts';
import { keepRange, useRange } from '../filter.ts';
import { CONNECT } from '../parts/connect.tsx';
import { type Day, DayChart } from '../parts/day-chart.tsx';
import { LessonStatus } from '../parts/lesson-status.tsx';
import { HEALTH_KEY } from '../parts/live-updates.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { toSpan } from '../parts/trend.tsx';
import { useWaiting } from '../parts/waiting.ts';
import { Moment, Sentence, toCount, toNumber, toWords } from '../parts/words.tsx';
import { FailureRows } from './failures.tsx';

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
              <Headline stats={data} category={asked.category} />
              <NextSteps />
              <Figures stats={data} isNarrow={asked.category !== undefined} />
              <DayChart days={toDays(data)} />
              <div className="columns">
                <TopFailures />
                <NewLessons />
              </div>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No calls match this filter">
      <p>
        <Link to="/" search={{} as never}>
          Show all calls
        </Link>
      </p>
    </Empty>
  ) : (
    <Empty title="No calls of agents are known yet">
      <p>
        Read past sessions with <code>oncebitten scan</code>, or connect an agent with <code>oncebitten install</code>.
      </p>
    </Empty>
  );
}

function Headline({ stats: { calls, totals }, category }: { stats: Stats; category: string | undefined }) {
  if (calls === undefined) return null;
  return (
    <p className="headline">
      Your agents made {toCount(calls.calls, 'call')} in {toCount(calls.sessions, 'session')}.{' '}
      <strong>
        {toNumber(calls.failures)} failed{category === undefined ? '' : ` with “${toWords(category)}”`}
      </strong>
      , and {toNumber(calls.repeats)} of these failures had happened before in the same project.{' '}
      {calls.avoidable > 0 &&
        `For ${calls.avoidable === calls.repeats ? `all ${toNumber(calls.repeats)}` : `${toNumber(calls.avoidable)} of them`}, an agent had already found the fix. `}
      {totals.shown === 0
        ? 'No lesson was shown to an agent yet.'
        : `Lessons were shown ${toCount(totals.shown, 'time')}; after ${toNumber(totals.outcomes.clean)} of these, the mistake was not repeated.`}
    </p>
  );
}

function Figures({ stats, isNarrow }: { readonly stats: Stats; readonly isNarrow: boolean }) {
  const { calls, totals, added, latency } = stats;
  const { effect } = totals;
  const { mean: attempts, interval } = calls?.cost.calls ?? {};
  // The text of a session's start belongs to no category.
  const tokens = isNarrow ? totals.tokens : (added?.tokens ?? 0);
  return (
    <ul className="tiles">
      <Tile name="Effect" value={effect === undefined ? 'not known yet' : `${toPercents(effect.prevented)} fewer`}>
        {effect === undefined
          ? 'Known once lessons were shown at 5 calls and withheld at 5 others.'
          : `repeats per 100 times shown; 95 % interval ${effect.interval.map(toPercents).join(' to ')}`}
      </Tile>
      <Tile name="Attempts to fix" value={attempts === undefined ? 'none yet' : toTenths(attempts)}>
        {attempts === undefined
          ? 'No failed call was followed by one that worked.'
          : `calls until a failed call worked, on average${interval === undefined ? '' : `; 95 % interval ${interval.map(toTenths).join(' to ')}`}`}
      </Tile>
      <Tile name="Cost in time" value={latency === undefined ? 'none yet' : `${(latency.p50Us / 1000).toFixed(1)} ms`}>
        {latency === undefined
          ? 'No call has matched a lesson yet.'
          : `to decide about a call (median); 95 % within ${(latency.p95Us / 1000).toFixed(1)} ms`}
      </Tile>
      <Tile name="Cost in text" value={toCount(tokens, 'token')}>
        added to the conversations of your agents
      </Tile>
    </ul>
  );
}

function toPercents(share: number): string {
  return toNumber(Math.round(share * 100));
}

function toTenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}

function Tile({ name, value, children }: TileProps) {
  return (
    <li>
      <span className="label">{name}</span>
      <strong data-empty={/^\D*$/.test(value) || undefined}>{value}</strong>
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
      <div className="head">
        <h2>What costs most</h2>
        <Link to="/failures" search={keepRange}>
          All failures
        </Link>
      </div>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No failure that another call would have avoided" />
          ) : (
            <FailureRows kinds={items} span={toSpan(items)} />
          )
        }
      </Loaded>
    </section>
  );
}

function NewLessons() {
  const asked = { ...useRange(), sort: 'created', limit: '5' };
  const query = useQuery({
    queryKey: ['lessons', asked],
    queryFn: ({ signal }) => ask('listLessons', { query: asked }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <div className="head">
        <h2>New lessons</h2>
        <Link to="/lessons" search={keepRange}>
          All lessons
        </Link>
      </div>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No lesson was learned here yet" />
          ) : (
            <ul className="rows">
              {items.map((lesson) => (
                <li key={lesson.id}>
                  <Link to="/lessons/$lesson" params={{ lesson: lesson.slug }} search={(old) => old}>
                    <Sentence text={lesson.summary} />
                  </Link>
                  <p className="facts">
                    <LessonStatus lesson={lesson} />
                    <span>{lesson.project ?? 'all projects'}</span>
                    <span>
                      learned <Moment at={lesson.createdAt} />
                    </span>
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

const MAX_STEPS = 3;

/** The most useful things to do now, the first one first. */
function NextSteps() {
  const health = useQuery({ queryKey: [HEALTH_KEY], queryFn: ({ signal }) => ask('readHealth', {}, signal) });
  const drafts = useWaiting();
  const open = (health.data?.checks ?? []).filter(({ state, next }) => state !== 'ok' && next !== undefined);
  const problems = open.toSorted((a, b) => Number(b.state === 'bad') - Number(a.state === 'bad')).slice(0, MAX_STEPS);
  const isUnconnected = health.data?.connected === false;
  if (drafts === 0 && problems.length === 0 && !isUnconnected) return null;
  return (
    <section className="next">
      <h2>What to do next</h2>
      <ul>
        {isUnconnected && <li>{CONNECT}</li>}
        {drafts > 0 && (
          <li>
            <Link to="/review" search={{} as never}>
              Decide about {toCount(drafts, 'lesson')}
            </Link>{' '}
            that {drafts === 1 ? 'waits' : 'wait'} for you, one key each.
          </li>
        )}
        {problems.map(({ name, detail, next = '' }) => (
          <li key={`${name} ${detail}`}>
            <Link to="/agents" search={keepRange}>
              {name}
            </Link>
            : <Sentence text={detail} /> <span className="soft">({next})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
