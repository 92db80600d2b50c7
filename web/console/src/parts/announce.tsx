import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const said = signal('');

export function announce(text: string): void {
  // Add a space to a repeated text, because screen readers would ignore it.
  said.value = said.peek() === text ? `${text}\u00a0` : text;
}

interface Confirmation {
  text: string;
  undo: (() => void) | null;
}

const shown = signal<Confirmation | null>(null);

/** How long a confirmation is shown and its action can be undone, in milliseconds. */
const SHOWN_MS = 5000;
export const UNDO_MS = 10_000;

/** Briefly confirms that an action has succeeded. `undo` adds a button. */
export function confirmDone(text: string, undo: (() => void) | null = null): void {
  shown.value = { text, undo };
}

export const Announcer = () => (
  <>
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
    <Toast />
  </>
);

function Toast() {
  const current = shown.value;
  useEffect(() => {
    if (!current) return;
    const hide = () => {
      if (shown.peek() === current) shown.value = null;
    };
    const timer = setTimeout(hide, current.undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="toasts">
      <div role="status" aria-live="polite">
        {current && <span class="toast-text">{current.text}</span>}
      </div>
      {current?.undo && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            current.undo?.();
            shown.value = null;
          }}
        >
          Undo
        </button>
      )}
    </div>
  );
}
