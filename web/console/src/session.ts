import { computed, signal } from '@preact/signals';

/** The key is kept in this tab until it is closed or signed out, or in the browser if the user wants to stay signed in. */
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

/** Moves the key out of the storage that outlives the tab. */
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
