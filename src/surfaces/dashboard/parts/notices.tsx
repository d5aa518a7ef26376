/** Short notices after an action, with a way to undo it. A screen reader hears them. */

import { Toast } from '@base-ui/react/toast';
import { type ReactNode, useMemo } from 'react';
import { toFacts } from '../client.ts';

/** Long enough to read it and to press Undo. */
const SHOWN_MS = 20_000;

export function Notices({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={SHOWN_MS}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="notices">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
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
  readonly title: string;
  readonly text?: string;
  readonly undo?: () => void;
}

export function useNotices() {
  const manager = Toast.useToastManager();
  return useMemo(
    () => ({
      tell: ({ title, text, undo }: Notice) =>
        manager.add({
          title,
          ...(text === undefined ? {} : { description: text }),
          ...(undo === undefined ? {} : { actionProps: { children: 'Undo', onClick: undo } }),
        }),
      warn: (error: Error) => {
        const { subject, reason, next } = toFacts(error);
        return manager.add({ title: `${subject}: ${reason}`, description: next, type: 'error', priority: 'high' });
      },
    }),
    [manager],
  );
}
