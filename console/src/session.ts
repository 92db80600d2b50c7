import { computed, signal } from '@preact/signals';

/** The key is kept in this tab until it is closed or signed out. */
const STORED = 'cadre.key';

const key = signal<string | null>(sessionStorage.getItem(STORED));

export const signedIn = computed(() => key.value !== null);

/** Why the user must sign in again; null at first. */
export const signedOutBecause = signal<string | null>(null);

export const currentKey = (): string | null => key.peek();

export function signIn(checked: string): void {
  sessionStorage.setItem(STORED, checked);
  signedOutBecause.value = null;
  key.value = checked;
}

export function signOut(because: string | null = null): void {
  sessionStorage.removeItem(STORED);
  signedOutBecause.value = because;
  key.value = null;
}
