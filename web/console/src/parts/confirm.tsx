import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAction } from '../loading.js';
import { decide, leave, leaving } from '../unsaved.js';
import { Problem } from './notice.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** If true, Escape closes the dialog even if a form is unsaved. */
  isQuestion?: boolean;
  children: ComponentChildren;
}

/** A modal dialog. The browser traps the focus. It returns to the opener. */
export function Dialog({ title, onClose, isQuestion = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    dialog.current?.showModal();
    return () => {
      // The browser restores the focus only if a dialog is closed before it is removed.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (isQuestion) onClose();
        else leave(onClose);
      }}
      // Browsers may close a dialog without a `cancel` event.
      onClose={onClose}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** Label of the confirming button. */
  verb: string;
  /** True if the action can be undone. */
  isSafe?: boolean;
  work: () => Promise<unknown>;
  /** `done` is true if the action was carried out. */
  onClose: (done: boolean) => void;
  children: ComponentChildren;
}

/** Asks for confirmation before an action. */
export function Confirm({ title, verb, isSafe = false, work, onClose, children }: ConfirmProps) {
  const { busy, failure, run } = useAction();
  const start = async () => {
    if (await run(work)) onClose(true);
  };
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      {children}
      <Problem failure={failure} />
      <div class="actions">
        <button type="button" onClick={() => onClose(false)}>
          Cancel
        </button>
        <button type="button" class={isSafe ? 'primary' : 'danger'} disabled={busy} onClick={start}>
          {verb}
        </button>
      </div>
    </Dialog>
  );
}

/** Asks before unsaved changes are lost. */
export function ConfirmLeaving() {
  if (!leaving.value) return null;
  return (
    <Dialog title="Leave without saving?" onClose={() => decide(false)} isQuestion>
      <p>Your changes are not saved. If you leave now, they are lost.</p>
      <div class="actions">
        <button type="button" class="danger" onClick={() => decide(true)}>
          Discard changes
        </button>
        <button type="button" class="primary" autofocus onClick={() => decide(false)}>
          Keep editing
        </button>
      </div>
    </Dialog>
  );
}
