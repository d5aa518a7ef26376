/** The frame of the dialogs that change or write a lesson: title, fields, save and cancel. */

import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface FormProps {
  readonly title: string;
  readonly description?: string;
  readonly isPending: boolean;
  readonly saveWord?: string;
  readonly save: () => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

export function LessonForm(given: FormProps) {
  const { title, description, isPending, saveWord = 'Save', save, close, children } = given;
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{title}</Dialog.Title>
          {description !== undefined && <Dialog.Description className="soft">{description}</Dialog.Description>}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            {children}
            <div className="bar">
              <button type="submit" className="main" disabled={isPending}>
                {saveWord}
              </button>
              <Dialog.Close>Cancel</Dialog.Close>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TextField({ label, value, onChange }: FieldProps) {
  return (
    <label>
      <span className="label">{label}</span>
      <textarea rows={3} value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}
