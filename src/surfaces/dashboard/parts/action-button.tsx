/**
 * A button that waits while its action runs. It is never disabled, because a button that is disabled loses the focus, and
 * who works with the keyboard would begin again at the top of the page.
 */

import type { ReactNode } from 'react';

interface ActionProps {
  readonly isBusy: boolean;
  readonly act: () => void;
  readonly look?: 'main' | 'bad' | undefined;
  readonly title?: string;
  readonly children: ReactNode;
}

export function ActionButton({ isBusy, act, look, title, children }: ActionProps) {
  return (
    <button
      type="button"
      className={look}
      title={title}
      aria-disabled={isBusy || undefined}
      onClick={() => {
        if (!isBusy) act();
      }}
    >
      {children}
    </button>
  );
}
