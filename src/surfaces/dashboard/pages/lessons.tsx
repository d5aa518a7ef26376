/** Lessons: the sentence first, then where it comes from and how often it was seen. */

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { type Filter, useFilter } from '../filter.ts';
import { LessonStatus } from '../parts/lesson-status.tsx';
import { Empty, Skeleton, Trouble } from '../parts/states.tsx';
import { Moment, Sentence, toCount } from '../parts/words.tsx';

type Lesson = Answer<'listLessons'>['items'][number];
const STATES = [
  ['', 'Active and drafts'],
  ['active', 'Active'],
  ['draft', 'Drafts'],
  ['archived', 'Archived'],
] as const;

export function Lessons() {
  const { project, q } = useFilter();
  const navigate = useNavigate();
  const [status, setStatus] = useState<(typeof STATES)[number][0]>('');
  const asked = {
    ...(project === undefined ? {} : { project }),
    ...(q === undefined ? {} : { search: q }),
    ...(status === '' ? {} : { status }),
  };
  const lessons = useInfiniteQuery({
    queryKey: ['lessons', asked],
    queryFn: ({ signal, pageParam }) => ask('listLessons', { query: { ...asked, from: String(pageParam) } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const items = lessons.data?.pages.flatMap((page) => page.items);
  const total = lessons.data?.pages[0]?.total ?? 0;
  return (
    <>
      <h1>Lessons</h1>
      <div className="bar">
        <div className="search">
          <input
            aria-label="Search lessons"
            type="search"
            placeholder="Search lessons"
            defaultValue={q ?? ''}
            onChange={({ target }) =>
              void navigate({
                to: '.',
                replace: true,
                search: (old: Filter) => ({ ...old, q: target.value === '' ? undefined : target.value }) as never,
              })
            }
          />
        </div>
        <span>
          <select
            aria-label="Status"
            value={status}
            onChange={({ target }) => setStatus(target.value as typeof status)}
          >
            {STATES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </span>
        <output>{items === undefined ? '' : toCount(total, 'lesson')}</output>
      </div>
      {lessons.error !== null && items === undefined && <Trouble error={lessons.error} />}
      {items === undefined && lessons.error === null && <Skeleton />}
      {items !== undefined && items.length === 0 && <None isFiltered={Object.keys(asked).length > 0} />}
      {items !== undefined && items.length > 0 && (
        <ul className="rows">
          {items.map((lesson) => (
            <Row key={lesson.id} lesson={lesson} />
          ))}
        </ul>
      )}
      {lessons.hasNextPage && (
        <button type="button" onClick={() => void lessons.fetchNextPage()} disabled={lessons.isFetchingNextPage}>
          Show more
        </button>
      )}
    </>
  );
}

function Row({ lesson }: { readonly lesson: Lesson }) {
  return (
    <li>
      <Link to="/lessons/$lesson" params={{ lesson: lesson.slug }} search={(old) => old}>
        <Sentence text={lesson.summary} />
      </Link>
      <p className="facts">
        <LessonStatus lesson={lesson} />
        <span>{lesson.scope.kind === 'project' ? (lesson.project ?? 'one project') : 'all projects'}</span>
        <span>seen {toCount(lesson.occurrences, 'time')}</span>
        <span>
          learned <Moment at={lesson.createdAt} />
        </span>
      </p>
    </li>
  );
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No lesson matches this filter">
      <p>
        <Link to="/lessons" search={{} as never}>
          Show all lessons
        </Link>
      </p>
    </Empty>
  ) : (
    <Empty title="There are no lessons yet">
      <p>
        Lessons come from failures that an agent got past. Read past sessions with <code>oncebitten scan</code>.
      </p>
    </Empty>
  );
}
