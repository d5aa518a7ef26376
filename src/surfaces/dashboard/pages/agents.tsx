/** Agents and health: `doctor` in the browser. */

import { useQuery } from '@tanstack/react-query';
import { ask } from '../client.ts';
import { HEALTH_KEY } from '../parts/live-updates.tsx';
import { Loaded } from '../parts/states.tsx';
import { Sentence } from '../parts/words.tsx';

export function Agents() {
  const query = useQuery({ queryKey: [HEALTH_KEY], queryFn: ({ signal }) => ask('readHealth', {}, signal) });
  return (
    <>
      <h1>Agents and health</h1>
      <Loaded query={query}>
        {({ checks }) => (
          <ul className="rows">
            {checks.map(({ name, state, detail, next }) => (
              <li key={`${name} ${detail}`}>
                <span className="badge" data-kind={state}>
                  {state}
                </span>{' '}
                <strong>{name}</strong>: <Sentence text={detail} />
                {next !== undefined && (
                  <p>
                    What to do: <Sentence text={next} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}
