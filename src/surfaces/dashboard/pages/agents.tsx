/** Agents and health: what each agent did here, and `doctor` in the browser, with what needs attention first. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Answer, ask } from '../client.ts';
import { CONNECT } from '../parts/connect.tsx';
import { HEALTH_KEY } from '../parts/live-updates.tsx';
import { Loaded } from '../parts/states.tsx';
import { Moment, Sentence, toCount, toNumber } from '../parts/words.tsx';

type Check = Answer<'readHealth'>['checks'][number];

export function Agents() {
  const query = useQuery({ queryKey: [HEALTH_KEY], queryFn: ({ signal }) => ask('readHealth', {}, signal) });
  return (
    <>
      <h1>Agents and health</h1>
      <AgentTable connected={query.data?.connectedAgents} />
      <div className="head">
        <h2>Health</h2>
        <button type="button" disabled={query.isFetching} onClick={() => void query.refetch()}>
          {query.isFetching ? 'Checking …' : 'Check again'}
        </button>
      </div>
      <Loaded query={query}>
        {({ checks, connected }) => (
          <>
            {!connected && <p className="note">{CONNECT}</p>}
            <Checks checks={checks} />
          </>
        )}
      </Loaded>
    </>
  );
}

function AgentTable({ connected }: { readonly connected: readonly string[] | undefined }) {
  const query = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => ask('readHistory', { query: { by: 'agent' } }, signal),
  });
  return (
    <Loaded query={query}>
      {({ by }) => {
        const groups = by[0]?.groups ?? [];
        return groups.length === 0 ? (
          <p>
            No agent has worked here yet. Connect one with <code>oncebitten install</code>.
          </p>
        ) : (
          <div className="rows scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Agent</th>
                  <th scope="col">Hooks</th>
                  <th scope="col" className="number">
                    Sessions
                  </th>
                  <th scope="col" className="number">
                    Calls
                  </th>
                  <th scope="col" className="number">
                    Failed
                  </th>
                  <th scope="col">Last call</th>
                </tr>
              </thead>
              <tbody>
                {groups.map((one) => (
                  <tr key={one.key}>
                    <th scope="row">
                      <Link to="/failures" search={{ agent: one.key } as never}>
                        {one.label ?? one.key}
                      </Link>
                    </th>
                    <td>
                      {connected === undefined ? '' : connected.includes(one.key) ? <Connected /> : 'not connected'}
                    </td>
                    <td className="number">{toNumber(one.sessions)}</td>
                    <td className="number">{toNumber(one.calls)}</td>
                    <td className="number">
                      {toNumber(one.failures)} ({toShare(one.failures, one.calls)})
                    </td>
                    <td>{one.last === undefined ? '' : <Moment at={one.last} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        );
      }}
    </Loaded>
  );
}

function Connected() {
  return (
    <span className="badge" data-kind="ok">
      connected
    </span>
  );
}

function toShare(part: number, all: number): string {
  return all === 0 ? '0%' : `${Math.round((part / all) * 100)}%`;
}

const WORDS: Readonly<Record<string, string>> = { bad: 'to mend', advice: 'advice', ok: 'ok' };

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const open = checks.filter(({ state }) => state !== 'ok');
  const good = checks.filter(({ state }) => state === 'ok');
  return (
    <>
      {open.length === 0 ? (
        <p>Everything works.</p>
      ) : (
        <CheckList checks={open.toSorted((a, b) => Number(b.state === 'bad') - Number(a.state === 'bad'))} />
      )}
      <details className="group">
        <summary>
          <strong>{toCount(good.length, 'check')} passed</strong>
        </summary>
        <CheckList checks={good} />
      </details>
    </>
  );
}

function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul className="rows checks">
      {checks.map(({ name, state, detail, next }) => (
        <li key={`${name} ${detail}`}>
          <span className="badge" data-kind={state}>
            {WORDS[state] ?? state}
          </span>
          <div>
            <strong>{name}</strong>
            <p>
              <Sentence text={detail} />
            </p>
            {next !== undefined && (
              <p className="soft">
                What to do: <Sentence text={next} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
