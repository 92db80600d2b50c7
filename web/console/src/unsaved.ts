import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/* Forms with changes that are not saved. Leaving them asks the user first. */

const open = new Set<symbol>();

/** The departure that waits for the user's decision. */
export const leaving = signal<(() => void) | null>(null);

export const hasUnsaved = (): boolean => open.size > 0;

/** Marks a part of the page as unsaved. */
export function useUnsaved(isUnsaved: boolean): void {
  // Before the next event, because saving may change the page.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const mark = Symbol();
    open.add(mark);
    return () => {
      open.delete(mark);
    };
  }, [isUnsaved]);
}

/** Leaves at once, or after the user has agreed to lose changes. */
export function leave(depart: () => void): void {
  if (hasUnsaved()) leaving.value = depart;
  else depart();
}

/** Gives up all unsaved changes. */
export function discardUnsaved(): void {
  open.clear();
}

/** Ends the question of `leave`. */
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
