/** Settings, by group, each with its explanation. A change is saved at once and can be undone. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, ask } from '../client.ts';
import { useNotices } from '../parts/notices.tsx';
import { PauseSwitch } from '../parts/pause-switch.tsx';
import { Empty, Loaded } from '../parts/states.tsx';

type Setting = Answer<'listSettings'>['items'][number];

export function Settings() {
  const [words, setWords] = useState('');
  const query = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => ask('listSettings', {}, signal) });
  return (
    <>
      <h1>Settings</h1>
      <PauseSwitch />
      <div className="bar">
        <div className="search">
          <input
            aria-label="Search settings"
            type="search"
            placeholder="Search settings"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </div>
      </div>
      <Loaded query={query}>{({ items }) => <Groups settings={items.filter(makeSearch(words))} />}</Loaded>
    </>
  );
}

function makeSearch(words: string): (setting: Setting) => boolean {
  const wanted = words.toLowerCase();
  return ({ key, help }) => `${key} ${help}`.toLowerCase().includes(wanted);
}

function Groups({ settings }: { readonly settings: readonly Setting[] }) {
  if (settings.length === 0) return <Empty title="No setting has these words" />;
  const groups = Map.groupBy(settings, ({ key }) => (key.includes('.') ? key.slice(0, key.indexOf('.')) : 'general'));
  return [...groups].map(([name, some]) => (
    <section key={name}>
      <h2>{name}</h2>
      <ul className="rows">
        {some.map((setting) => (
          <Row key={setting.key} setting={setting} />
        ))}
      </ul>
    </section>
  ));
}

function Row({ setting }: { readonly setting: Setting }) {
  const { key, help, type, origin, fileOnly } = setting;
  const id = `setting-${key}`;
  return (
    <li className="setting">
      <div>
        <label htmlFor={id}>
          <code>{key}</code>
        </label>
        <p id={`${id}-help`} className="soft">
          {help}
        </p>
        <p className="facts">
          <span>{type}</span>
          {origin.kind !== 'default' && (
            <span className="badge">{origin.kind === 'file' ? 'changed' : 'set by the environment'}</span>
          )}
          {fileOnly !== undefined && <span>Change it in the settings file: oncebitten config path</span>}
        </p>
      </div>
      <Control key={JSON.stringify(setting.value)} setting={setting} id={id} />
    </li>
  );
}

function Control({ setting, id }: { readonly setting: Setting; readonly id: string }) {
  const { value, type, min, max, fileOnly, origin } = setting;
  const { save, reset, isPending } = useSave(setting);
  const [text, setText] = useState(toText(value));
  const isFixed = fileOnly !== undefined || origin.kind === 'environment' || isPending;
  const shared = { id, disabled: isFixed, 'aria-describedby': `${id}-help` };
  const choices = typeof value === 'boolean' ? ['true', 'false'] : toChoices(type);
  const isChanged = origin.kind === 'file' && fileOnly === undefined;
  return (
    <div className="control">
      {choices === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save(text);
          }}
        >
          <input
            {...shared}
            {...(typeof value === 'number' ? { type: 'number', step: 'any', min, max } : {})}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {text !== toText(value) && <button type="submit">Save</button>}
        </form>
      ) : (
        <select {...shared} value={String(value)} onChange={({ target }) => save(target.value)}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice === '' ? '(empty)' : choice}
            </option>
          ))}
        </select>
      )}
      {isChanged && (
        <button type="button" className="plain" disabled={isPending} onClick={reset}>
          Reset
        </button>
      )}
    </div>
  );
}

/** `one of note, pause` are two choices. */
function toChoices(type: string): readonly string[] | undefined {
  const list = /^one of (?<list>.+)$/.exec(type)?.groups?.list;
  return list?.split(/, (?:or )?/).map((word) => (word === 'empty' ? '' : word));
}

interface Step {
  /** Absent: the setting gets its default again. */
  readonly to?: { readonly value: unknown };
  readonly title: string;
  readonly undo?: Step;
}

function useSave({ key, value, origin }: Setting) {
  const queries = useQueryClient();
  const { tell, warn } = useNotices();
  const params = { key };
  const change = useMutation({
    mutationFn: async ({ to }: Step): Promise<unknown> =>
      to === undefined ? ask('resetSetting', { params }) : ask('changeSetting', { params, body: to }),
    onSuccess: async (_answer, { to, title, undo }) => {
      const text = to === undefined ? `${key} has its default again` : `${key} = ${toText(to.value)}`;
      tell({ about: key, title, text, ...(undo === undefined ? {} : { undo: () => change.mutate(undo) }) });
      await queries.invalidateQueries({ queryKey: ['settings'] });
    },
    onError: warn,
  });
  const undo: Step = { title: 'Undone', ...(origin.kind === 'default' ? {} : { to: { value } }) };
  return {
    save: (given: string) => change.mutate({ to: { value: given }, title: 'Saved', undo }),
    reset: () => change.mutate({ title: 'Reset', undo }),
    isPending: change.isPending,
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
