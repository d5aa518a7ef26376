/**
 * Short notices after an action, with a way to undo it. A screen reader hears them. A newer notice about the same thing
 * takes the place of the older one, so that no Undo takes back another change than the one it stands beside.
 */

import { Toast } from '@base-ui/react/toast';
import { type ReactNode, useMemo } from 'react';
import { toFacts } from '../client.ts';

/** Long enough to read it and to press Undo. */
const SHOWN_MS = 20_000;
const MAX_SHOWN = 3;

export function Notices({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={SHOWN_MS} limit={MAX_SHOWN}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="notices">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** The newest first. */
function List() {
  const { toasts } = Toast.useToastManager();
  return toasts
    .filter(({ limited }) => limited !== true)
    .map((toast) => (
      <Toast.Root key={toast.id} toast={toast} className="notice" data-type={toast.type}>
        <Toast.Title className="notice-title" />
        <Toast.Description className="notice-text" />
        {toast.actionProps !== undefined && <Toast.Action className="plain" />}
        <Toast.Close className="plain" aria-label="Close">
          ×
        </Toast.Close>
      </Toast.Root>
    ));
}

export interface Notice {
  /** What was changed: the id of a lesson, the key of a setting. */
  readonly about: string;
  readonly title: string;
  readonly text?: string;
  readonly undo?: () => void;
}

export function useNotices() {
  const { add, close } = Toast.useToastManager();
  return useMemo(() => {
    // Closed before, because a notice that is only updated keeps its place among older ones.
    const show = (notice: Parameters<typeof add>[0] & { readonly id: string }): void => {
      close(notice.id);
      add(notice);
    };
    return {
      tell: ({ about, title, text, undo }: Notice) =>
        show({
          ...{ id: about, title },
          ...(text === undefined ? {} : { description: text }),
          ...(undo === undefined ? {} : { actionProps: { children: 'Undo', onClick: undo } }),
        }),
      warn: (error: Error) => {
        const { subject, reason, next } = toFacts(error);
        const title = `${subject}: ${reason}`;
        show({ id: title, title, description: next, type: 'error', priority: 'high' });
      },
    };
  }, [add, close]);
}
