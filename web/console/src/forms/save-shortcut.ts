import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Submits the form on Ctrl+S or ⌘S while it has changes. */
export function useSaveShortcut(form: RefObject<HTMLFormElement | null>, isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isActive]);
}
