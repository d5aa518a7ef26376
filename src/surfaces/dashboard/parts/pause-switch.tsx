/** Pauses everything, for an hour or until a person resumes it, and says on every page that it is paused. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask } from '../client.ts';
import { ActionButton } from './action-button.tsx';
import { useNotices } from './notices.tsx';
import { toMoment } from './words.tsx';

const ABOUT = 'pause';
const MEANING = 'Nothing is captured and no lesson is shown.';

/** In the settings. */
export function PauseSwitch() {
  const { pause, resume, isBusy, paused } = usePause();
  return (
    <section>
      <h2>Pause</h2>
      <p>
        {paused === undefined
          ? 'Calls are captured and lessons are shown. Calls that agents make during a pause are never learned from.'
          : `${toSentence(paused)} ${MEANING}`}
      </p>
      <div className="bar">
        {paused === undefined ? (
          <>
            <ActionButton isBusy={isBusy} act={() => pause('1h')}>
              Pause for an hour
            </ActionButton>
            <ActionButton isBusy={isBusy} act={() => pause()}>
              Pause until I resume
            </ActionButton>
          </>
        ) : (
          <ActionButton isBusy={isBusy} look="main" act={resume}>
            Resume
          </ActionButton>
        )}
      </div>
    </section>
  );
}

/** Above every page, while it lasts. */
export function Paused() {
  const { resume, isBusy, paused } = usePause();
  if (paused === undefined) return null;
  return (
    <div className="paused">
      <span>
        {toSentence(paused)} {MEANING}
      </span>
      <ActionButton isBusy={isBusy} act={resume}>
        Resume
      </ActionButton>
    </div>
  );
}

interface Running {
  /** Absent: until a person resumes it. */
  readonly until?: string | undefined;
}

function toSentence({ until }: Running): string {
  return until === undefined ? 'Paused until you resume.' : `Paused until ${toMoment(until)}.`;
}

function usePause() {
  const queries = useQueryClient();
  const { tell, warn } = useNotices();
  const { data } = useQuery({ queryKey: ['status'], queryFn: ({ signal }) => ask('readStatus', {}, signal) });
  const change = useMutation({
    mutationFn: ({ isOn, span }: { readonly isOn: boolean; readonly span?: string }) =>
      isOn ? ask('pause', { body: span === undefined ? {} : { for: span } }) : ask('resume'),
    onSuccess: async (_answer, { isOn }) => {
      tell(
        isOn
          ? { about: ABOUT, title: 'Paused', text: MEANING, undo: () => change.mutate({ isOn: false }) }
          : { about: ABOUT, title: 'Resumed', text: 'Calls are captured and lessons are shown again.' },
      );
      await queries.invalidateQueries({ queryKey: ['status'] });
    },
    onError: warn,
  });
  const { pausedAll = false, paused = [] } = data?.switches ?? {};
  const running: Running | undefined = pausedAll ? (paused.find(({ what }) => what === 'all') ?? {}) : undefined;
  return {
    paused: running,
    pause: (span?: string) => change.mutate({ isOn: true, ...(span === undefined ? {} : { span }) }),
    resume: () => change.mutate({ isOn: false }),
    isBusy: change.isPending,
  };
}
