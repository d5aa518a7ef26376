/** The review queue: one lesson after the other, one key for each decision. The next lesson is there at once. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { useRange } from '../filter.ts';
import { type Decision, LOOKS, MEANINGS, useChangeLesson } from '../parts/change-lesson.ts';
import { LessonStatus } from '../parts/lesson-status.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { useWaiting } from '../parts/waiting.ts';
import { Moment, Sentence, toCount } from '../parts/words.tsx';

type Lesson = Answer<'listLessons'>['items'][number];

export function Review() {
  const asked = { ...useRange(), needsReview: 'true' as const, limit: '200' };
  const query = useQuery({
    queryKey: ['review', asked],
    queryFn: ({ signal }) => ask('listLessons', { query: asked }, signal),
  });
  return (
    <>
      <h1>Review</h1>
      <Hidden shown={query.data?.total} />
      <Loaded query={query}>{({ items }) => <Queue lessons={items} />}</Loaded>
    </>
  );
}

/** The filter goes along from page to page, so who comes here may not know that there is one. */
function Hidden({ shown }: { readonly shown: number | undefined }) {
  const waiting = useWaiting();
  const hidden = shown === undefined ? 0 : waiting - shown;
  if (hidden <= 0) return null;
  return (
    <p className="note">
      The filter hides {toCount(hidden, 'lesson')} that {hidden === 1 ? 'waits' : 'wait'} for your decision.{' '}
      <Link to="/review" search={{} as never}>
        Clear the filter
      </Link>
    </p>
  );
}

function Done() {
  const isFiltered = Object.keys(useRange()).length > 0;
  return (
    <Empty title={isFiltered ? 'No lesson that waits matches this filter' : 'Nothing waits for your decision'}>
      <p>New drafts appear here. A draft fires only in the session that taught it, until you approve it.</p>
      <p>
        <Link to="/lessons" search={(old) => old}>
          See all lessons
        </Link>
      </p>
    </Empty>
  );
}

function Queue({ lessons }: { readonly lessons: readonly Lesson[] }) {
  const { waiting, take } = useDecisions(lessons);
  const [at, setAt] = useState(0);
  const place = Math.min(at, waiting.length - 1);
  const lesson = waiting[place];
  const move = (step: number): void => setAt(Math.max(0, Math.min(place + step, waiting.length - 1)));
  const keys: Readonly<Record<string, () => void>> = {
    a: () => lesson && take(lesson, 'approve'),
    r: () => lesson && take(lesson, 'reject'),
    x: () => lesson && take(lesson, 'archive'),
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
  };
  useKeys(keys);
  if (lesson === undefined) return <Done />;
  return (
    <>
      <p className="soft">
        {place + 1} of {toCount(waiting.length, 'lesson')} that {waiting.length === 1 ? 'waits' : 'wait'} for your
        decision. Agents read an approved lesson from the next call on.
      </p>
      <article className="card" aria-live="polite">
        <h2>
          <Link to="/lessons/$lesson" params={{ lesson: lesson.slug }} search={(old) => old}>
            <Sentence text={lesson.summary} />
          </Link>
        </h2>
        <p className="facts">
          <LessonStatus lesson={lesson} />
          <span>{lesson.project ?? 'all projects'}</span>
          <span>
            seen {toCount(lesson.occurrences, 'time')} in {toCount(lesson.sessions, 'session')}
          </span>
          <span>
            learned <Moment at={lesson.createdAt} />
          </span>
        </p>
        <dl className="terms">
          <dt>What goes wrong</dt>
          <dd>
            <Sentence text={lesson.mistake} />
          </dd>
          <dt>What to do instead</dt>
          <dd>
            <Sentence text={lesson.remediation} />
          </dd>
          {lesson.evidence[0]?.excerpt !== undefined && (
            <>
              <dt>The latest example</dt>
              <dd>
                <pre>{lesson.evidence[0].excerpt}</pre>
              </dd>
            </>
          )}
        </dl>
        <div className="bar">
          <Key name="a" word="Approve" press={keys.a} decision="approve" />
          <Key name="r" word="Reject" press={keys.r} decision="reject" />
          <Key name="x" word="Archive" press={keys.x} decision="archive" />
          <span className="space" />
          <Key name="k" word="Previous" press={keys.k} isOff={place === 0} />
          <Key name="j" word="Next" press={keys.j} isOff={place === waiting.length - 1} />
        </div>
      </article>
    </>
  );
}

interface KeyProps {
  readonly name: string;
  readonly word: string;
  readonly press: (() => void) | undefined;
  readonly decision?: Decision;
  readonly isOff?: boolean;
}

function Key({ name, word, press, decision, isOff = false }: KeyProps) {
  return (
    <button
      type="button"
      className={decision && LOOKS[decision]}
      title={decision && MEANINGS[decision]}
      disabled={isOff}
      onClick={press}
    >
      {word} <kbd>{name}</kbd>
    </button>
  );
}

/** A decided lesson leaves the queue at once, and comes back if the daemon refuses the decision or it is undone. */
function useDecisions(lessons: readonly Lesson[]) {
  const { decide } = useChangeLesson();
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const put = useCallback((id: string, isDecided: boolean): void => {
    setDecided((old) => new Set(isDecided ? [...old, id] : [...old].filter((one) => one !== id)));
  }, []);
  const take = (lesson: Lesson, decision: Decision): void => {
    put(lesson.id, true);
    decide(lesson, decision, () => put(lesson.id, false));
  };
  return { waiting: lessons.filter(({ id }) => !decided.has(id)), take };
}

/** Calls the function of a pressed key; always the latest one, because a person may press a key right after a change. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const act = latest.current[event.key];
      if (act === undefined) return;
      act();
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
