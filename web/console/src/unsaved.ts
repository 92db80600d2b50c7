import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/* Forms with unsaved changes. Leaving such a form asks for confirmation. */

const open = new Set<symbol>();

/** The navigation that waits for confirmation. */
export const leaving = signal<(() => void) | null>(null);

export const hasUnsaved = (): boolean => open.size > 0;

/** Marks a part of the page as unsaved. */
export function useUnsaved(isUnsaved: boolean): void {
  // Runs before the next event, because saving may leave the page.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const mark = Symbol();
    open.add(mark);
    return () => {
      open.delete(mark);
    };
  }, [isUnsaved]);
}

/** Leaves immediately, or after the user has confirmed that changes are lost. */
export function leave(depart: () => void): void {
  if (hasUnsaved()) leaving.value = depart;
  else depart();
}

/** Discards all unsaved changes. */
export function discardUnsaved(): void {
  open.clear();
}

/** Closes the question of `leave`. */
export function decide(leaves: boolean): void {
  const depart = leaving.peek();
  leaving.value = null;
  if (!leaves) return;
  discardUnsaved();
  depart?.();
}

addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});
