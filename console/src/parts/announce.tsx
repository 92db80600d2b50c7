import { signal } from '@preact/signals';

const said = signal('');

/** Announces a text to screen readers. */
export function announce(text: string): void {
  // Screen readers ignore repeated texts.
  said.value = said.peek() === text ? `${text}\u00a0` : text;
}

export const Announcer = () => (
  <div class="unseen" role="status" aria-live="polite">
    {said.value}
  </div>
);
