import { signal } from '@preact/signals';
import type { Draft } from '../../../api/types.js';

/** The draft of the open agent; null without one, or if the caller may not see it. */
export const openDraft = signal<Draft | null>(null);

/** Increases when the draft or the live settings change. */
export const settingsChanged = signal(0);

export function reportChange(): void {
  settingsChanged.value += 1;
}
