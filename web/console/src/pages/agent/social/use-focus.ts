import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Returns a form's ref, and a function that focuses the first match of a selector in it after the next rendering. */
export function useFocus(): [form: RefObject<HTMLFormElement | null>, focus: (selector: string) => void] {
  const form = useRef<HTMLFormElement>(null);
  const [target, setTarget] = useState<{ selector: string } | null>(null);
  useLayoutEffect(() => {
    if (target) form.current?.querySelector<HTMLElement>(target.selector)?.focus();
  }, [target]);
  return [form, (selector) => setTarget({ selector })];
}
