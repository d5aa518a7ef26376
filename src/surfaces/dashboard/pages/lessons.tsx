/** Lessons: the sentence first, then where it comes from and how often it was seen. */

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Answer, ask } from '../client.ts';
import { type Filter, useFilter, useRange } from '../filter.ts';
import { LessonStatus } from '../parts/lesson-status.tsx';
import { SearchBox } from '../parts/search-box.tsx';
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
  const { q, status = '' } = useFilter();
  const range = useRange();
  const navigate = useNavigate();
  const set = (key: 'q' | 'status', value: string): void =>
    void navigate({
      to: '.',
      replace: true,
      search: (old: Filter) => ({ ...old, [key]: value === '' ? undefined : value }) as never,
    });
  const asked = {
    ...range,
    ...(q === undefined ? {} : { search: q }),
    ...(isStatus(status) ? { status } : {}),
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
        <SearchBox label="Search lessons" value={q ?? ''} search={(words) => set('q', words)} />
        <span>
          <select aria-label="Status" value={status} onChange={({ target }) => set('status', target.value)}>
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

function isStatus(text: string): text is 'active' | 'draft' | 'archived' {
  return text !== '' && STATES.some(([value]) => value === text);
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
        <span>
          seen {toCount(lesson.occurrences, 'time')} in {toCount(lesson.sessions, 'session')}
        </span>
        {lesson.lastMatchedAt !== undefined && (
          <span>
            last shown <Moment at={lesson.lastMatchedAt} />
          </span>
        )}
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
