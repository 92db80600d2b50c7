import { signal } from '@preact/signals';

const said = signal('');

/** Tells those who do not see the page what has happened. */
export function announce(text: string): void {
  // The same words again would not be read again.
  said.value = said.peek() === text ? `${text}\u00a0` : text;
}

export const Announcer = () => (
  <div class="unseen" role="status" aria-live="polite">
    {said.value}
  </div>
);
