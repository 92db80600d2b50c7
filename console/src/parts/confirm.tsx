import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAction } from '../loading.js';
import { Problem } from './notice.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog; the browser traps the focus and restores it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** Label of the confirming button. */
  verb: string;
  work: () => Promise<unknown>;
  /** `done` is true if the work was done. */
  onClose: (done: boolean) => void;
  children: ComponentChildren;
}

/** Asks for confirmation before an irreversible action. */
export function Confirm({ title, verb, work, onClose, children }: ConfirmProps) {
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
        <button type="button" class="danger" disabled={busy} onClick={start}>
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
