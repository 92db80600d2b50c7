import { computed, signal } from '@preact/signals';

/**
 * Storage key of the API key. The API key stays in this tab until the tab is closed or the user signs out, or in the
 * browser if the user chose to stay signed in.
 */
const STORED = 'cadre.key';

const key = signal<string | null>(sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED));

export const signedIn = computed(() => key.value !== null);

/** Why the user must sign in again; null at first. */
export const signedOutBecause = signal<string | null>(null);

export const currentKey = (): string | null => key.peek();

export function signIn(checked: string, { stays }: { stays: boolean }): void {
  (stays ? localStorage : sessionStorage).setItem(STORED, checked);
  signedOutBecause.value = null;
  key.value = checked;
}

/** Moves the API key from the browser's storage to the tab's. */
export function keepInTab(): void {
  if (localStorage.getItem(STORED) === null) return;
  localStorage.removeItem(STORED);
  if (key.value !== null) sessionStorage.setItem(STORED, key.value);
}

export function signOut(because: string | null = null): void {
  sessionStorage.removeItem(STORED);
  localStorage.removeItem(STORED);
  signedOutBecause.value = because;
  key.value = null;
}
