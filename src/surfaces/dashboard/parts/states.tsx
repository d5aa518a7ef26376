/** What a page shows while it waits, when it has nothing, and when something went wrong. */

import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toFacts } from '../client.ts';
import { Sentence } from './words.tsx';

/** Shows a skeleton, a problem or the answer. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Trouble error={query.error} retry={() => void query.refetch()} />;
  return <Skeleton />;
}

export function Skeleton() {
  return (
    <output className="skeleton" aria-label="Loading">
      {[90, 75, 82, 60, 70].map((width) => (
        <span key={width} data-width={width} />
      ))}
    </output>
  );
}

export function Trouble({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const facts = toFacts(error);
  return (
    <div className="trouble" role="alert">
      <h2>
        {facts.subject}: {facts.reason}
      </h2>
      <p>
        What to do: <Sentence text={facts.next} />
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** An empty page says what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function NotFound() {
  return (
    <Empty title="There is no page at this address">
      <p>
        <Link to="/">Go to the overview</Link>
      </p>
    </Empty>
  );
}
