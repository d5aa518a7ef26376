/** One kind of failure: how often, the latest example, the fix that worked, and its lesson or a draft of one. */

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { useProjectNames } from '../parts/project-names.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { Trend } from '../parts/trend.tsx';
import { Moment, Sentence, toCount } from '../parts/words.tsx';
import { WriteLesson } from '../parts/write-lesson.tsx';
import { Known, toTitle, toWords } from './failures.tsx';

type Kind = Answer<'listFailures'>['items'][number];

export function FailurePage() {
  const { signature } = useParams({ from: '/failures/$signature' });
  const query = useQuery({
    queryKey: ['failure', signature],
    queryFn: ({ signal }) => ask('listFailures', { query: { signature, all: 'true' } }, signal),
  });
  return (
    <Loaded query={query}>
      {({ items: [kind] }) =>
        kind === undefined ? (
          <Empty title="This failure is not known">
            <p>
              <Link to="/failures">Show all failures</Link>
            </p>
          </Empty>
        ) : (
          <Details kind={kind} signature={signature} />
        )
      }
    </Loaded>
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
      </p>
      <ul className="tiles">
        <li>
          <strong>{kind.times}</strong>
          <span>
            times in {toCount(kind.sessions, 'session')}, {kind.laterRepeats} of them after the first session
          </span>
        </li>
        <li>
          <strong>
            <Moment at={kind.first} />
          </strong>
          <span>first seen</span>
        </li>
        <li>
          <strong>
            <Moment at={kind.last} />
          </strong>
          <span>last seen</span>
        </li>
        <li>
          <Trend days={kind.days} />
          <span>over time</span>
        </li>
      </ul>
      <div className="columns">
        <section>
          <h2>What worked</h2>
          {kind.cure === null ? (
            <p>No agent got past it by changing the call, as far as is known.</p>
          ) : (
            <p>
              <Sentence text={kind.cure.text} /> (in {toCount(kind.cure.sessions, 'session')}, last{' '}
              <Moment at={kind.cure.lastAt} />)
            </p>
          )}
        </section>
        <section>
          <h2>Lesson</h2>
          <Lesson kind={kind} />
        </section>
      </div>
      <Calls signature={signature} />
    </article>
  );
}

function Lesson({ kind }: { readonly kind: Kind }) {
  const [isWriting, setWriting] = useState(false);
  if (kind.lesson !== null)
    return (
      <p>
        <Link to="/lessons/$lesson" params={{ lesson: kind.lesson.slug }} search={(old) => old}>
          <Sentence text={kind.lesson.summary} />
        </Link>
      </p>
    );
  return (
    <>
      <p>There is no lesson about it.</p>
      <button type="button" onClick={() => setWriting(true)}>
        Write one
      </button>
      {isWriting && (
        <WriteLesson
          draft={{
            summary: toTitle(kind).slice(0, 200),
            remediation: kind.cure?.text ?? '',
            program: kind.program,
          }}
          close={() => setWriting(false)}
        />
      )}
    </>
  );
}

function Calls({ signature }: { readonly signature: string }) {
  const [limit, setLimit] = useState(5);
  const query = useQuery({
    queryKey: ['failed-calls', signature, limit],
    queryFn: ({ signal }) => ask('listFailedCalls', { query: { signature, limit: String(limit) } }, signal),
    placeholderData: (old) => old,
  });
  const toName = useProjectNames();
  return (
    <section>
      <h2>Calls, the latest first</h2>
      <Loaded query={query}>
        {({ items, next }) => (
          <>
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
                    <span>{toName(call.projectId)}</span>
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
