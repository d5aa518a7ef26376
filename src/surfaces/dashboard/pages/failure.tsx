/** One kind of failure: how often, the latest example, the fix that worked, and its lesson or a draft of one. */

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { keepRange, useRange } from '../filter.ts';
import { useProjectNames } from '../parts/project-names.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { Timeline } from '../parts/trend.tsx';
import { Moment, Sentence, toCount, toNumber, toWords } from '../parts/words.tsx';
import { WriteLesson } from '../parts/write-lesson.tsx';
import { Known, toAttempts, toTitle } from './failures.tsx';

type Kind = Answer<'listFailures'>['items'][number];

export function FailurePage() {
  const { signature } = useParams({ from: '/failures/$signature' });
  const asked = { ...useRange(), signature, all: 'true' as const };
  const query = useQuery({
    queryKey: ['failure', asked],
    queryFn: ({ signal }) => ask('listFailures', { query: asked }, signal),
  });
  return (
    <Loaded query={query}>
      {({ items: [kind] }) =>
        kind === undefined ? <None signature={signature} /> : <Details kind={kind} signature={signature} />
      }
    </Loaded>
  );
}

function None({ signature }: { readonly signature: string }) {
  const isFiltered = Object.keys(useRange()).length > 0;
  return isFiltered ? (
    <Empty title="No failure of this kind matches the filter">
      <p>
        <Link to="/failures/$signature" params={{ signature }} search={{} as never}>
          Clear the filter
        </Link>
      </p>
    </Empty>
  ) : (
    <Empty title="This failure is not known">
      <p>
        <Link to="/failures">Show all failures</Link>
      </p>
    </Empty>
  );
}

function Details({ kind, signature }: { readonly kind: Kind; readonly signature: string }) {
  const toName = useProjectNames();
  return (
    <article>
      <h1>{toTitle(kind)}</h1>
      <p className="facts">
        <Known kind={kind} />
        <span>{toWords(kind.category)}</span>
        <span>{kind.projectIds.map(toName).join(', ')}</span>
        <span>{kind.agents.join(', ')}</span>
        <span>{kind.models.join(', ')}</span>
      </p>
      <ul className="tiles">
        <li>
          <span className="label">Happened</span>
          <strong>{toCount(kind.times, 'time')}</strong>
          <span>
            in {toCount(kind.sessions, 'session')}, {toNumber(kind.laterRepeats)} after the first session of a project
          </span>
        </li>
        <li>
          <span className="label">First seen</span>
          <strong>
            <Moment at={kind.first} />
          </strong>
        </li>
        <li>
          <span className="label">Last seen</span>
          <strong>
            <Moment at={kind.last} />
          </strong>
        </li>
        <li>
          <span className="label">Attempts to fix</span>
          <strong>{kind.attempts === undefined ? 'not known' : toAttempts(kind.attempts.mean)}</strong>
          <span>
            {kind.attempts === undefined
              ? 'No agent made the same call work afterwards.'
              : `until it worked, on average; agents got past ${toNumber(kind.attempts.solved)} of ${toNumber(kind.attempts.begun)}`}
          </span>
        </li>
      </ul>
      <Timeline days={kind.days} title="When it happened" />
      <div className="columns">
        <section>
          <h2>What worked</h2>
          {kind.fixes.length === 0 ? (
            <p>No agent got past it by changing the call, as far as is known.</p>
          ) : (
            <ul className="rows">
              {kind.fixes.map((fix) => (
                <li key={fix.text}>
                  <Sentence text={fix.text} />
                  <p className="facts">
                    <span>worked in {toCount(fix.sessions, 'session')}</span>
                    <span>
                      last <Moment at={fix.lastAt} />
                    </span>
                  </p>
                </li>
              ))}
            </ul>
          )}
        </section>
        <section>
          <h2>Lesson</h2>
          <Lesson kind={kind} signature={signature} />
        </section>
      </div>
      <Calls signature={signature} />
    </article>
  );
}

function Lesson({ kind, signature }: { readonly kind: Kind; readonly signature: string }) {
  const [isWriting, setWriting] = useState(false);
  if (kind.lesson !== null)
    return (
      <ul className="rows">
        <li>
          <Link to="/lessons/$lesson" params={{ lesson: kind.lesson.slug }} search={keepRange}>
            <Sentence text={kind.lesson.summary} />
          </Link>
          <p className="facts">
            {kind.lesson.status === 'active' ? 'Agents read it at such a call.' : 'It waits for your decision.'}
          </p>
        </li>
      </ul>
    );
  return (
    <>
      <p>There is no lesson about it.</p>
      <button type="button" onClick={() => setWriting(true)}>
        Write one
      </button>
      {isWriting && <WriteLesson kind={kind} signature={signature} close={() => setWriting(false)} />}
    </>
  );
}

function Calls({ signature }: { readonly signature: string }) {
  const [limit, setLimit] = useState(5);
  const asked = { ...useRange(), signature, limit: String(limit) };
  const query = useQuery({
    queryKey: ['failed-calls', asked],
    queryFn: ({ signal }) => ask('listFailedCalls', { query: asked }, signal),
    placeholderData: (old) => old,
  });
  return (
    <section>
      <h2>Calls, the latest first</h2>
      <Loaded query={query}>
        {({ items, next, total }) => (
          <>
            <p className="soft">
              {items.length === total
                ? toCount(total, 'call')
                : `${toNumber(items.length)} of ${toCount(total, 'call')}`}
            </p>
            <ul className="rows">
              {items.map((call) => (
                <li key={call.id}>
                  <pre>
                    <strong>{call.command ?? call.rawTool}</strong>
                    {'\n'}
                    {call.message ?? 'The text of this call was removed.'}
                  </pre>
                  <p className="facts">
                    <span>{call.agent}</span>
                    <span>{call.project}</span>
                    {call.exitCode !== undefined && <span>exit code {call.exitCode}</span>}
                    <Moment at={call.at} />
                    <Link to="/sessions/$session" params={{ session: call.sessionId }} search={(old) => old}>
                      Open the session
                    </Link>
                  </p>
                </li>
              ))}
            </ul>
            {next !== null && (
              <button type="button" onClick={() => setLimit((old) => old * 4)}>
                Show more
              </button>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
