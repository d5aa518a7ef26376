/** One lesson: its text, its trigger with a box to try a command, replay figures, evidence, deliveries and history. */

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { LOOKS, MEANINGS, useChangeLesson } from '../parts/change-lesson.ts';
import { EditLesson } from '../parts/edit-lesson.tsx';
import { LessonStatus } from '../parts/lesson-status.tsx';
import { PromoteLesson } from '../parts/promote-lesson.tsx';
import { Loaded } from '../parts/states.tsx';
import { Moment, OUTCOME_WORDS, Sentence, toCount, toNumber } from '../parts/words.tsx';

type Lesson = Answer<'showLesson'>;

export function LessonPage() {
  const { lesson: name } = useParams({ from: '/lessons/$lesson' });
  const query = useQuery({
    queryKey: ['lesson', name],
    queryFn: ({ signal }) => ask('showLesson', { params: { lesson: name } }, signal),
  });
  return <Loaded query={query}>{(lesson) => <Details lesson={lesson} />}</Loaded>;
}

function Details({ lesson }: { readonly lesson: Lesson }) {
  return (
    <article>
      <h1>
        <Sentence text={lesson.summary} />
      </h1>
      <p className="facts">
        <LessonStatus lesson={lesson} />
        <span>{lesson.level.toLowerCase()} priority</span>
        <span>{lesson.project ?? 'all projects'}</span>
        <span>
          seen {toCount(lesson.occurrences, 'time')} in {toCount(lesson.sessions, 'session')}
        </span>
        <code>{lesson.slug}</code>
      </p>
      <Actions lesson={lesson} />
      {lesson.heldBack?.map((reason) => (
        <p key={reason} className="note">
          Held back: {reason}
        </p>
      ))}
      <div className="columns">
        <section>
          <h2>What goes wrong</h2>
          <Said text={lesson.mistake} />
        </section>
        <section>
          <h2>What to do instead</h2>
          <Said text={lesson.remediation} />
        </section>
      </div>
      <Trigger lesson={lesson} />
      {isAfterFailure(lesson) ? <PastFailures signature={lesson.signatureId ?? ''} /> : <Replay lesson={lesson} />}
      <Evidence lesson={lesson} />
      <Deliveries lesson={lesson} />
      <History lesson={lesson} />
    </article>
  );
}

/** A person may have written a part of a lesson only. */
function Said({ text }: { readonly text: string }) {
  return text === '' ? (
    <p className="soft">The lesson does not say it. Add it with Edit.</p>
  ) : (
    <p>
      <Sentence text={text} />
    </p>
  );
}

const DECISIONS = {
  draft: ['approve', 'reject'],
  active: ['archive', 'reject'],
  archived: ['restore'],
} as const;
const WORDS = { approve: 'Approve', reject: 'Reject', archive: 'Archive', restore: 'Restore' } as const;

function Actions({ lesson }: { readonly lesson: Lesson }) {
  const { decide, mute, unmute, isPending } = useChangeLesson();
  const [isEditing, setEditing] = useState(false);
  const [isPromoting, setPromoting] = useState(false);
  const decisions = lesson.needsReview && lesson.status === 'active' ? DECISIONS.draft : DECISIONS[lesson.status];
  return (
    <div className="bar">
      {decisions.map((decision, n) => (
        <ActionButton
          // biome-ignore lint/suspicious/noArrayIndexKey: the button stays, with the focus, when its decision is another one
          key={n}
          isBusy={isPending}
          look={LOOKS[decision]}
          title={MEANINGS[decision]}
          act={() => decide(lesson, decision)}
        >
          {WORDS[decision]}
        </ActionButton>
      ))}
      {lesson.status === 'active' &&
        (lesson.muted === undefined ? (
          <ActionButton isBusy={isPending} act={() => mute(lesson)}>
            Mute
          </ActionButton>
        ) : (
          <ActionButton isBusy={isPending} act={() => unmute(lesson)}>
            Unmute
          </ActionButton>
        ))}
      <button type="button" onClick={() => setEditing(true)}>
        Edit
      </button>
      {lesson.status === 'active' && (
        <button type="button" onClick={() => setPromoting(true)}>
          Promote
        </button>
      )}
      {isEditing && <EditLesson lesson={lesson} close={() => setEditing(false)} />}
      {isPromoting && <PromoteLesson lesson={lesson} close={() => setPromoting(false)} />}
    </div>
  );
}

/** It is shown with an error, so no call tells beforehand whether it will be. */
function isAfterFailure({ triggers }: Lesson): boolean {
  return triggers.failure === true;
}

function Trigger({ lesson }: { readonly lesson: Lesson }) {
  return (
    <section>
      <h2>When it is shown</h2>
      <p>
        {isAfterFailure(lesson) ? (
          'With the error of a call that fails the same way. It is never shown before a call.'
        ) : (
          <Sentence text={lesson.firesOn} />
        )}
      </p>
      {!isAfterFailure(lesson) && <Try lesson={lesson} />}
    </section>
  );
}

/** A box to try a command against the trigger. */
function Try({ lesson }: { readonly lesson: Lesson }) {
  const [command, setCommand] = useState('');
  const tried = useDeferredValue(command.trim());
  const test = useQuery({
    queryKey: ['test', lesson.id, tried],
    queryFn: ({ signal }) => ask('testLesson', { params: { lesson: lesson.id }, body: { command: tried } }, signal),
    enabled: tried !== '',
  });
  return (
    <>
      <label>
        <span className="label">Try a command</span>
        <input
          className="command"
          placeholder="git push --force"
          spellCheck={false}
          autoComplete="off"
          value={command}
          onChange={({ target }) => setCommand(target.value)}
        />
      </label>
      <output className="answer" data-kind={tried === '' ? undefined : test.data?.speaks ? 'yes' : 'no'}>
        {tried === '' || test.data === undefined
          ? ''
          : test.data.speaks
            ? 'An agent that runs this sees the lesson.'
            : 'The lesson stays silent at this command.'}
      </output>
    </>
  );
}

/** How often past calls failed with the error that it is shown with. */
function PastFailures({ signature }: { readonly signature: string }) {
  const asked = { signature, limit: '1' };
  const query = useQuery({
    queryKey: ['failed-calls', asked],
    queryFn: ({ signal }) => ask('listFailedCalls', { query: asked }, signal),
  });
  return (
    <section>
      <h2>On your past calls</h2>
      <Loaded query={query}>
        {({ total }) => (
          <p>
            {toCount(total, 'past call')} failed with this error.{' '}
            <Link to="/failures/$signature" params={{ signature }} search={{} as never}>
              Show the failure
            </Link>
          </p>
        )}
      </Loaded>
    </section>
  );
}

const SHOWN_CALLS = 8;

/** On which past calls it would have fired. */
function Replay({ lesson }: { readonly lesson: Lesson }) {
  const query = useQuery({
    queryKey: ['test', lesson.id],
    queryFn: ({ signal }) => ask('testLesson', { params: { lesson: lesson.id }, body: {} }, signal),
  });
  return (
    <section>
      <h2>On your past calls</h2>
      <Loaded query={query}>
        {({ pastCalls = 0, fires = 0, hits = 0, falseAlarms = 0, spoken = [] }) => (
          <>
            <p>
              It would have fired on {toNumber(fires)} of {toCount(pastCalls, 'past call')}: {toNumber(hits)} failed as
              the lesson says, {toNumber(falseAlarms)} worked.
            </p>
            {spoken.length > 0 && (
              <details>
                <summary>Show these calls</summary>
                <ul className="rows">
                  {spoken.slice(0, SHOWN_CALLS).map(({ call, outcome, hit }, n) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the same call may stand there twice, and the list never moves
                    <li key={n}>
                      <code>{call}</code>
                      <p className="facts">{hit ? 'failed as the lesson says' : outcome}</p>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const SHOWN_EVIDENCE = 3;

function Evidence({ lesson: { evidence } }: { readonly lesson: Lesson }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? evidence : evidence.slice(0, SHOWN_EVIDENCE);
  if (evidence.length === 0) return null;
  return (
    <section>
      <h2>Evidence</h2>
      <ul className="rows">
        {shown.map((one) => (
          <li key={`${one.sessionId} ${one.lines?.[0]} ${one.at}`}>
            <pre>{one.excerpt ?? 'The text of this call was removed.'}</pre>
            <p className="facts">
              <span>{one.agent}</span>
              {one.at !== undefined && <Moment at={one.at} />}
              <Link to="/sessions/$session" params={{ session: one.sessionId }} search={(old) => old}>
                Open the session
              </Link>
            </p>
          </li>
        ))}
      </ul>
      {evidence.length > SHOWN_EVIDENCE && !isAll && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {evidence.length}
        </button>
      )}
    </section>
  );
}

function Deliveries({ lesson }: { readonly lesson: Lesson }) {
  const query = useQuery({
    queryKey: ['deliveries', lesson.id],
    queryFn: ({ signal }) => ask('listDeliveries', { query: { lesson: lesson.id, limit: '10' } }, signal),
  });
  return (
    <section>
      <h2>Shown to agents</h2>
      <Loaded query={query}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p>No agent has met this lesson yet.</p>
          ) : (
            <>
              <p>{toCount(total, 'time')}, the latest first:</p>
              <ul className="rows">
                {items.map((one) => (
                  <li key={one.id}>
                    {one.arm === 'shown' ? (one.mode ?? 'shown') : 'withheld, to compare'}:{' '}
                    {OUTCOME_WORDS[one.outcome ?? ''] ?? 'no result yet'}
                    <p className="facts">
                      <span>{one.agent}</span>
                      <span>{one.project}</span>
                      <Moment at={one.deliveredAt} />
                      <Link to="/sessions/$session" params={{ session: one.sessionId }} search={(old) => old}>
                        Open the session
                      </Link>
                    </p>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

const SHOWN_CHANGES = 10;

function History({ lesson }: { readonly lesson: Lesson }) {
  const { history, nextUndo } = lesson;
  const { undo, isPending } = useChangeLesson();
  return (
    <section>
      <div className="head">
        <h2>History</h2>
        {nextUndo !== undefined && (
          <ActionButton isBusy={isPending} act={() => undo(lesson)}>
            Undo the last change
          </ActionButton>
        )}
      </div>
      <ol className="rows" reversed>
        {history
          .slice(-SHOWN_CHANGES)
          .toReversed()
          .map(({ at, by, reason }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two changes may have the same time and words
            <li key={n}>
              {reason ?? 'changed'}
              <p className="facts">
                <span>{by}</span>
                <Moment at={at} />
              </p>
            </li>
          ))}
      </ol>
    </section>
  );
}
