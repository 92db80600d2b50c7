import { element } from './dom.js';
import { icon } from './icons.js';
import type { Strings } from './strings.js';

/** Pause before the first message is shown beside the closed bubble, in ms. */
const PAUSE_MS = 2000;

interface TeaserOptions {
  text: string;
  strings: Strings;
  onOpen(): void;
  onDismiss(): void;
  /** Called with the height in pixels. */
  onHeight(height: number): void;
}

/** Shows the agent's first message beside the closed bubble after a pause. Returns a function that removes it. */
export function showTeaser(before: Element, { text, strings, onOpen, onDismiss, onHeight }: TeaserOptions) {
  const open = element('button', { type: 'button', class: 'teaser-text', dir: 'auto' }, text);
  open.addEventListener('click', onOpen);
  const label = strings.text('dismiss');
  const attributes = { type: 'button', class: 'small', 'aria-label': label, title: label };
  const dismiss = element('button', attributes, icon('close'));
  dismiss.addEventListener('click', onDismiss);
  const card = element('div', { class: 'teaser' }, open, dismiss);
  const observer = new ResizeObserver(() => onHeight(card.offsetHeight));
  const timer = setTimeout(() => {
    before.before(card);
    observer.observe(card);
  }, PAUSE_MS);
  return (): void => {
    clearTimeout(timer);
    observer.disconnect();
    card.remove();
  };
}
