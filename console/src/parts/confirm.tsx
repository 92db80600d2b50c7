import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useDoing } from '../loading.js';
import { Problem } from './notice.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A window over the page: the browser keeps the focus in it, and gives it back. */
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
  /** On the button that does it. */
  verb: string;
  work: () => Promise<unknown>;
  /** `done` is true when it was done. */
  onClose: (done: boolean) => void;
  children: ComponentChildren;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, verb, work, onClose, children }: ConfirmProps) {
  const { busy, failure, run } = useDoing();
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
