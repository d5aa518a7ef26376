/** Failures: what keeps going wrong, the costliest first, as one list or in groups. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { type Filter, useFilter, useRange } from '../filter.ts';
import { useProjectNames } from '../parts/project-names.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { type Span, Trend, toSpan } from '../parts/trend.tsx';
import { Moment, Sentence, toCount, toNumber, toWords } from '../parts/words.tsx';

type Kind = Answer<'listFailures'>['items'][number];

const GROUPINGS = [
  ['', 'One list'],
  ['program', 'By program'],
  ['category', 'By category'],
  ['project', 'By project'],
  ['agent', 'By agent'],
  ['model', 'By model'],
] as const;
const ORDERS = [
  ['', 'Costliest first'],
  ['often', 'Most frequent first'],
  ['newest', 'Newest first'],
] as const;
/** The costliest kinds; what is rarer is found by a narrower filter. */
const LIMIT = 2000;
const PAGE = 100;

export function Failures() {
  const { group: by = '', sort = '', q = '', all } = useFilter();
  const isAll = all === 'true';
  const navigate = useNavigate();
  const set = (key: 'group' | 'sort' | 'q' | 'all', value: string): void =>
    void navigate({
      to: '.',
      replace: true,
      search: (old: Filter) => ({ ...old, [key]: value === '' ? undefined : value }) as never,
    });
  const asked = {
    ...useRange(),
    limit: String(LIMIT),
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
        <SearchBox label="Search failures" value={q} search={(words) => set('q', words)} />
        <Choice label="Sort" value={sort} options={ORDERS} onChange={(value) => set('sort', value)} />
        <Choice label="Group" value={by} options={GROUPINGS} onChange={(value) => set('group', value)} />
        <label className="check">
          <input type="checkbox" checked={isAll} onChange={({ target }) => set('all', target.checked ? 'true' : '')} />
          Also failures that no other call would have avoided
        </label>
      </div>
      <Loaded query={query}>
        {({ items, total, leftOut }) => {
          const found = sortBy(items.filter(makeSearch(q)), sort);
          return (
            <>
              {items.length > 0 && <Total found={found.length} read={items.length} total={total} />}
              {found.length === 0 ? (
                <None />
              ) : (
                <Groups key={`${q} ${sort}`} kinds={found} by={by} span={toSpan(items)} />
              )}
              <LeftOut counts={leftOut} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <span>
      <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

function makeSearch(words: string): (kind: Kind) => boolean {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return ({ program, message = '', category, cure }) => {
    const text = `${program} ${message} ${toWords(category)} ${cure?.text ?? ''}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}

/** They come sorted by cost. */
function sortBy(kinds: readonly Kind[], sort: string): readonly Kind[] {
  if (sort === 'often') return kinds.toSorted((a, b) => b.times - a.times);
  return sort === 'newest' ? kinds.toSorted((a, b) => (a.last < b.last ? 1 : -1)) : kinds;
}

interface TotalProps {
  readonly found: number;
  /** How many kinds the page has got, and how many there are. */
  readonly read: number;
  readonly total: number;
}

function Total({ found, read, total }: TotalProps) {
  const kinds = toCount(total, 'kind of failure', 'kinds of failures');
  return (
    <p className="soft">
      {found === read ? kinds : `${toNumber(found)} of ${kinds}`}
      {read < total && `; only the ${toNumber(read)} costliest are listed, so choose a narrower filter to see others`}
    </p>
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

/** How many failures of a kind each group has. */
function toShares(kind: Kind, by: string): Readonly<Record<string, number>> {
  const { program, category, times, shares } = kind;
  const found = { project: shares.projects, agent: shares.agents, model: shares.models }[by];
  return found ?? { [by === 'category' ? category : program]: times };
}

function Groups({ kinds, by, span }: { kinds: readonly Kind[]; by: string; span: Span }) {
  const toName = useProjectNames();
  if (!GROUPINGS.some(([value]) => value === by) || by === '') return <FailureRows kinds={kinds} span={span} />;
  const groups = Map.groupBy(
    kinds.flatMap((kind) => Object.entries(toShares(kind, by)).map(([key, times]) => ({ key, kind, times }))),
    ({ key }) => (by === 'project' ? toName(key) : key),
  );
  const sumTimes = (some: readonly { readonly times: number }[]): number =>
    some.reduce((sum, { times }) => sum + times, 0);
  return [...groups]
    .sort(([, a], [, b]) => sumTimes(b) - sumTimes(a))
    .map(([key, some]) => (
      <details key={key} className="group" open={groups.size <= 3}>
        <summary>
          <strong>{by === 'category' ? toWords(key) : key}</strong>{' '}
          <span className="soft">
            {toCount(sumTimes(some), 'failure')} of {toCount(some.length, 'kind')}
          </span>
        </summary>
        <FailureRows kinds={some.map(({ kind }) => kind)} span={span} />
      </details>
    ));
}

/** Kinds of failures, the first hundred at first. */
export function FailureRows({ kinds, span }: { readonly kinds: readonly Kind[]; readonly span: Span }) {
  const [limit, setLimit] = useState(PAGE);
  return (
    <>
      <ul className="rows">
        {kinds.slice(0, limit).map((kind) => (
          <FailureRow key={`${kind.signatureIds.join()} ${kind.program} ${kind.isHook}`} kind={kind} span={span} />
        ))}
      </ul>
      {kinds.length > limit && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          Show more
        </button>
      )}
    </>
  );
}

function FailureRow({ kind, span }: { readonly kind: Kind; readonly span: Span }) {
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
          {kind.attempts !== undefined && <span>{toAttempts(kind.attempts.mean)} to get past it</span>}
          {kind.cure !== null && (
            <span>
              known fix: <Sentence text={kind.cure.text} />
            </span>
          )}
        </p>
      </div>
      <Trend days={kind.days} span={span} />
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

/** A shell names itself and the line that it was given before the message. */
const SHELL_PLACE = /^(?:\(eval\)|(?:\S*\/)?(?:ba|z|da|k)?sh):(?: ?(?:line )?\d+:)? /;

/** The program and its message in one line, as the command line writes it. */
export function toTitle({ program, message = 'no message' }: Pick<Kind, 'program' | 'message'>): string {
  const line = (message.split('\n')[0] ?? '').replace(SHELL_PLACE, '');
  return line.startsWith(`${program}:`) || program === 'other' ? line : `${program}: ${line}`;
}

/** `2.5 calls`. */
export function toAttempts(mean: number): string {
  const calls = Math.round(mean * 10) / 10;
  return `${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

const CLASSES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  command: ['wrong call', 'wrong calls'],
  harness: ['refused call', 'refused calls'],
  verdict: ['failed test, lint or build', 'failed tests, lints or builds'],
  world: ['network or lock failure', 'network or lock failures'],
  exploration: ['search that found nothing', 'searches that found nothing'],
  'edit-text': ['edit whose text was not found', 'edits whose text was not found'],
  status: ['exit code without a message', 'exit codes without a message'],
};

function LeftOut({ counts }: { readonly counts: Readonly<Record<string, number | undefined>> }) {
  const parts = Object.entries(counts).map(
    ([of, count = 0]) => `${toNumber(count)} ${CLASSES[of]?.[count === 1 ? 0 : 1] ?? of}`,
  );
  return parts.length === 0 ? null : (
    <p className="soft">Left out, because another call is usually not the fix: {parts.join(', ')}.</p>
  );
}
