/** The timeline of one session: calls, failures and shown lessons in order. It follows the session while it runs. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { Empty, Skeleton, Trouble } from '../parts/states.tsx';
import { Clock, OUTCOME_WORDS, Sentence, toCount, toDay } from '../parts/words.tsx';

type Session = Answer<'showSession'>['session'];
type Entry = Answer<'showSession'>['timeline'][number];

const PAGE = '200';
const LIVE_MS = 5 * 60_000;

export function SessionPage() {
  const { session } = useParams({ from: '/sessions/$session' });
  const [isFailed, setFailed] = useState(false);
  const query = useInfiniteQuery({
    queryKey: ['session', session, isFailed],
    queryFn: ({ signal, pageParam }) =>
      ask(
        'showSession',
        {
          params: { session },
          query: { limit: PAGE, from: String(pageParam), ...(isFailed ? { failures: 'true' as const } : {}) },
        },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
  });
  const [first] = query.data?.pages ?? [];
  if (query.error !== null && first === undefined) return <Trouble error={query.error} />;
  if (first === undefined) return <Skeleton />;
  const entries = query.data?.pages.flatMap(({ timeline }) => timeline) ?? [];
  return (
    <article>
      <Head session={first.session} />
      <div className="bar">
        <label className="check">
          <input type="checkbox" checked={isFailed} onChange={({ target }) => setFailed(target.checked)} />
          Only failed calls
        </label>
      </div>
      {entries.length === 0 ? (
        <Empty title={isFailed ? 'No call failed in this session' : 'This session made no calls'} />
      ) : (
        <ol className="rows timeline">
          {entries.map((entry, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries only come at the end
            <Row key={n} entry={entry} />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </button>
      )}
    </article>
  );
}

/** It has not ended, and its agent did something a moment ago. */
export function isRunning({ endedAt, lastSeenAt }: Pick<Session, 'endedAt' | 'lastSeenAt'>): boolean {
  return endedAt === undefined && Date.now() - Date.parse(lastSeenAt) < LIVE_MS;
}

function Head({ session }: { readonly session: Session }) {
  return (
    <>
      <h1>{session.projectName ?? session.cwd}</h1>
      <p className="facts">
        {isRunning(session) && (
          <span className="badge" data-kind="active">
            running
          </span>
        )}
        <span>{session.agent}</span>
        <span>{session.model}</span>
        {session.branch !== undefined && <code>{session.branch}</code>}
        <span>{toCount(session.calls, 'call')}</span>
        <span>{toCount(session.failures, 'failure')}</span>
        <span>
          began {toDay(session.startedAt)} <Clock at={session.startedAt} />
        </span>
        <span>took {toSpan(Date.parse(session.lastSeenAt) - Date.parse(session.startedAt))}</span>
      </p>
    </>
  );
}

const BAD = new Set(['failure', 'denied']);

function Row({ entry }: { readonly entry: Entry }) {
  if (entry.kind === 'told')
    return (
      <li className="told">
        <Shown one={entry} />
      </li>
    );
  const { outcome = '', input, rawTool, message, exitCode, durationMs, signature } = entry;
  return (
    <li data-kind={BAD.has(outcome) ? 'bad' : undefined}>
      <p className="call">
        <span className="sr">{outcome}: </span>
        <span className="tool">{rawTool}</span> <code>{input}</code>
      </p>
      {BAD.has(outcome) && message !== undefined && <pre>{message}</pre>}
      <p className="facts">
        {outcome !== 'success' && (
          <span className="badge" data-kind={outcome}>
            {outcome}
          </span>
        )}
        {exitCode !== undefined && exitCode !== 0 && <span>exit code {exitCode}</span>}
        {durationMs !== undefined && <span>{toDuration(durationMs)}</span>}
        <Clock at={entry.at} />
        {outcome === 'failure' && signature !== undefined && (
          <Link to="/failures/$signature" params={{ signature }} search={{} as never}>
            All failures of this kind
          </Link>
        )}
      </p>
      {entry.told?.map((one) => (
        <Shown key={one.lesson} one={one} />
      ))}
    </li>
  );
}

interface Told {
  readonly lesson?: string | undefined;
  readonly summary?: string | undefined;
  readonly mode?: string | undefined;
  readonly arm?: string | undefined;
  readonly judged?: string | undefined;
}

function Shown({ one }: { readonly one: Told }) {
  const { lesson = '', summary = lesson, mode, arm, judged } = one;
  return (
    <p className="lesson-shown">
      {arm === 'holdout' ? 'Withheld to compare' : `Lesson shown (${mode})`}:{' '}
      <Link to="/lessons/$lesson" params={{ lesson }} search={(old) => old}>
        <Sentence text={summary} />
      </Link>
      {judged !== undefined && <span className="soft"> Then {OUTCOME_WORDS[judged] ?? judged}.</span>}
    </p>
  );
}

/** `3 h 20 min`. */
function toSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function toDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
