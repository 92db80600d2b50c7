import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAction } from '../loading.js';
import { decide, leave, leaving } from '../unsaved.js';
import { confirmDone } from './announce.js';
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

interface ConfirmProps<T> {
  title: string;
  /** Label of the confirming button. */
  verb: string;
  /** True if the action can be undone. */
  isSafe?: boolean;
  work: () => Promise<T>;
  /** Confirms that the action was carried out. */
  done?: string;
  onClose: () => void;
  /** Called after `onClose` with the result of the action. */
  onDone?: (result: T) => void;
  children: ComponentChildren;
}

/** Asks for confirmation before an action. */
export function Confirm<T>(props: ConfirmProps<T>) {
  const { title, verb, isSafe = false, work, done, onClose, onDone, children } = props;
  const { busy, failure, run } = useAction();
  const start = () =>
    run(async () => {
      const result = await work();
      onClose();
      if (done !== undefined) confirmDone(done);
      onDone?.(result);
    });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem failure={failure} />
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={isSafe ? 'primary' : 'danger'}
          disabled={busy}
          onClick={() => void start()}
        >
          {verb}
        </button>
      </div>
    </Dialog>
  );
}

interface ConfirmButtonProps<T> extends Omit<ConfirmProps<T>, 'onClose'> {
  label: string;
  /** Name for screen readers, if the label does not say what is concerned. */
  name?: string;
  /** Look of the button, by default that of a dangerous action; '' for an ordinary button. */
  class?: string;
}

/** A button whose action must be confirmed. */
export function ConfirmButton<T>(props: ConfirmButtonProps<T>) {
  const { label, name, class: look = 'danger', ...confirm } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={look} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <Confirm {...confirm} onClose={() => setOpen(false)} />}
    </>
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
