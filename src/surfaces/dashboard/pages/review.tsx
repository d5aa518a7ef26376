/** The review queue: one lesson after the other, one key for each decision. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { pick, useFilter } from '../filter.ts';
import { type Decision, useChangeLesson } from '../parts/change-lesson.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { Sentence, toCount } from '../parts/words.tsx';

type Lesson = Answer<'listLessons'>['items'][number];
const KEYS: Readonly<Record<string, Decision>> = { a: 'approve', r: 'reject', x: 'archive' };

export function Review() {
  const asked = { ...pick(useFilter(), 'project'), needsReview: 'true' as const, limit: '200' };
  const query = useQuery({
    queryKey: ['review', asked],
    queryFn: ({ signal }) => ask('listLessons', { query: asked }, signal),
  });
  return (
    <>
      <h1>Review</h1>
      <Loaded query={query}>{({ items }) => (items.length === 0 ? <Done /> : <Queue lessons={items} />)}</Loaded>
    </>
  );
}

function Done() {
  return (
    <Empty title="Nothing waits for your decision">
      <p>New drafts appear here. A draft fires only in the session that taught it, until you approve it.</p>
    </Empty>
  );
}

function Queue({ lessons }: { readonly lessons: readonly Lesson[] }) {
  const [at, setAt] = useState(0);
  const { decide, isPending } = useChangeLesson();
  const lesson = lessons[Math.min(at, lessons.length - 1)];
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'j' || event.key === 'ArrowDown') setAt((old) => Math.min(old + 1, lessons.length - 1));
      else if (event.key === 'k' || event.key === 'ArrowUp') setAt((old) => Math.max(old - 1, 0));
      else {
        const decision = KEYS[event.key];
        if (decision === undefined || lesson === undefined || isPending) return;
        decide(lesson, decision);
      }
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [lesson, lessons.length, decide, isPending]);
  if (lesson === undefined) return <Done />;
  return (
    <article className="card" aria-live="polite">
      <p className="facts">
        {Math.min(at, lessons.length - 1) + 1} of {toCount(lessons.length, 'lesson')}
      </p>
      <h2>
        <Link to="/lessons/$lesson" params={{ lesson: lesson.slug }} search={(old) => old}>
          <Sentence text={lesson.summary} />
        </Link>
      </h2>
      <p>
        <Sentence text={lesson.mistake} />
      </p>
      <p>
        <Sentence text={lesson.remediation} />
      </p>
      <pre>{lesson.evidence[0]?.excerpt}</pre>
      <div className="bar">
        <button type="button" className="main" disabled={isPending} onClick={() => decide(lesson, 'approve')}>
          Approve <kbd>a</kbd>
        </button>
        <button type="button" disabled={isPending} onClick={() => decide(lesson, 'reject')}>
          Reject <kbd>r</kbd>
        </button>
        <button type="button" disabled={isPending} onClick={() => decide(lesson, 'archive')}>
          Archive <kbd>x</kbd>
        </button>
        <button type="button" onClick={() => setAt((old) => (old + 1) % lessons.length)}>
          Next <kbd>j</kbd>
        </button>
      </div>
    </article>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
