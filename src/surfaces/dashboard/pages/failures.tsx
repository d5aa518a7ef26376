/** Failures: what keeps going wrong, the costliest first, as one list or in groups. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { pick, useFilter, useRange } from '../filter.ts';
import { useProjectNames } from '../parts/project-names.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { Trend } from '../parts/trend.tsx';
import { Moment, Sentence, toCount, toNumber } from '../parts/words.tsx';

type Kind = Answer<'listFailures'>['items'][number];

const GROUPINGS = [
  ['', 'One list'],
  ['program', 'By program'],
  ['category', 'By category'],
  ['project', 'By project'],
  ['agent', 'By agent'],
] as const;
type Grouping = (typeof GROUPINGS)[number][0];
/** The kinds of one history; what is rarer is found by a narrower filter. */
const LIMIT = '500';

export function Failures() {
  const [by, setBy] = useState<Grouping>('');
  const [isAll, setAll] = useState(false);
  const asked = {
    ...useRange(),
    ...pick(useFilter(), 'category'),
    limit: LIMIT,
    ...(isAll ? { all: 'true' as const } : {}),
  };
  const query = useQuery({
    queryKey: ['failures', asked],
    queryFn: ({ signal }) => ask('listFailures', { query: asked }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Failures</h1>
      <div className="bar">
        <span>
          <select aria-label="Group" value={by} onChange={({ target }) => setBy(target.value as Grouping)}>
            {GROUPINGS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </span>
        <label className="check">
          <input type="checkbox" checked={isAll} onChange={({ target }) => setAll(target.checked)} />
          Also failures that no other call would have avoided
        </label>
      </div>
      <Loaded query={query}>
        {({ items, leftOut }) => (
          <>
            {items.length === 0 ? <None /> : <Groups kinds={items} by={by} />}
            <LeftOut counts={leftOut} />
          </>
        )}
      </Loaded>
    </>
  );
}

function None() {
  return (
    <Empty title="No failures match this filter">
      <p>
        Choose another time or project above, or read more sessions with <code>oncebitten scan</code>.
      </p>
    </Empty>
  );
}

function Groups({ kinds, by }: { readonly kinds: readonly Kind[]; readonly by: Grouping }) {
  const toName = useProjectNames();
  if (by === '') return <Rows kinds={kinds} />;
  const toKeys = (kind: Kind): readonly string[] =>
    by === 'project' ? kind.projectIds.map(toName) : by === 'agent' ? kind.agents : [kind[by]];
  const groups = Map.groupBy(
    kinds.flatMap((kind) => toKeys(kind).map((key) => ({ key, kind }))),
    ({ key }) => key,
  );
  const sumTimes = (some: readonly { readonly kind: Kind }[]): number =>
    some.reduce((sum, { kind }) => sum + kind.times, 0);
  return [...groups]
    .sort(([, a], [, b]) => sumTimes(b) - sumTimes(a))
    .map(([key, some]) => (
      <details key={key} className="group" open={groups.size <= 3}>
        <summary>
          <strong>{toWords(key)}</strong> {toCount(sumTimes(some), 'failure')} of {toCount(some.length, 'kind')}
        </summary>
        <Rows kinds={some.map(({ kind }) => kind)} />
      </details>
    ));
}

function Rows({ kinds }: { readonly kinds: readonly Kind[] }) {
  return (
    <ul className="rows">
      {kinds.map((kind) => (
        <Row key={`${kind.signatureIds.join()} ${kind.program} ${kind.isHook}`} kind={kind} />
      ))}
    </ul>
  );
}

function Row({ kind }: { readonly kind: Kind }) {
  const title = toTitle(kind);
  return (
    <li className="with-trend">
      <div>
        {kind.signature === undefined ? (
          <strong>{title}</strong>
        ) : (
          <Link to="/failures/$signature" params={{ signature: kind.signature }} search={(old) => old}>
            {title}
          </Link>
        )}
        <p className="facts">
          <Known kind={kind} />
          <span>
            {toCount(kind.times, 'time')} in {toCount(kind.sessions, 'session')}
          </span>
          <span>
            last <Moment at={kind.last} />
          </span>
          {kind.cure !== null && (
            <span>
              known fix: <Sentence text={kind.cure.text} />
            </span>
          )}
        </p>
      </div>
      <Trend days={kind.days} />
    </li>
  );
}

export function Known({ kind }: { readonly kind: Pick<Kind, 'lesson' | 'cure'> }) {
  const word =
    kind.lesson?.status === 'active'
      ? 'lesson'
      : kind.lesson !== null
        ? 'draft'
        : kind.cure !== null
          ? 'known fix'
          : 'open';
  return (
    <span className="badge" data-kind={word === 'lesson' ? 'active' : word}>
      {word}
    </span>
  );
}

/** The program and its message in one line. */
export function toTitle({ program, message = 'no message' }: Pick<Kind, 'program' | 'message'>): string {
  const line = message.split('\n')[0] ?? '';
  return line.startsWith(`${program}:`) ? line : `${program}: ${line}`;
}

/** `wrong_usage` is `wrong usage`. */
export function toWords(name: string): string {
  return name.replaceAll('_', ' ');
}

const CLASSES: Readonly<Record<string, string>> = {
  command: 'wrong calls',
  harness: 'refused calls',
  verdict: 'failed tests, lints or builds',
  world: 'network or lock failures',
  exploration: 'searches that found nothing',
  'edit-text': 'edits whose text was not found',
  status: 'exit codes without a message',
};

function LeftOut({ counts }: { readonly counts: Readonly<Record<string, number | undefined>> }) {
  const parts = Object.entries(counts).map(([of, count = 0]) => `${toNumber(count)} ${CLASSES[of] ?? of}`);
  return parts.length === 0 ? null : (
    <p className="soft">Left out, because another call is usually not the fix: {parts.join(', ')}.</p>
  );
}
