import { computed, signal } from '@preact/signals';

/** As whom requests are sent: with an API key, or with the session of a person, whose cookie scripts cannot read. */
export type Identity = { kind: 'key'; key: string } | { kind: 'session'; workspaceId: string };

/**
 * Storage key of the API key. The API key stays in this tab until the tab is closed or the user signs out, or in the
 * browser if the user chose to stay signed in.
 */
const STORED = 'cadre.key';
/** Storage key of the workspace of the session. */
const WORKSPACE = 'cadre.workspace';

function stored(): Identity | null {
  const key = sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED);
  if (key !== null) return { kind: 'key', key };
  const workspaceId = localStorage.getItem(WORKSPACE);
  return workspaceId === null ? null : { kind: 'session', workspaceId };
}

const identity = signal<Identity | null>(stored());

export const signedIn = computed(() => identity.value !== null);

/** Why the user must sign in again; null at first. */
export const signedOutBecause = signal<string | null>(null);

/** The workspace requires two-factor authentication, which the person has not set up. */
export const mustEnrol = signal(false);

/** Failed sign-ins of the person between the last two whole ones. */
export const failedSignIns = signal(0);

export const currentIdentity = (): Identity | null => identity.peek();

export function signIn(key: string, { stays }: { stays: boolean }): void {
  (stays ? localStorage : sessionStorage).setItem(STORED, key);
  signedOutBecause.value = null;
  identity.value = { kind: 'key', key };
}

/** Continues with the session of the browser, in one of the person's workspaces. */
export function signInAsPerson(workspaceId: string): void {
  mustEnrol.value = false;
  localStorage.setItem(WORKSPACE, workspaceId);
  signedOutBecause.value = null;
  identity.value = { kind: 'session', workspaceId };
}

/** Moves the API key from the browser's storage to the tab's. */
export function keepInTab(): void {
  const key = localStorage.getItem(STORED);
  if (key === null) return;
  localStorage.removeItem(STORED);
  if (identity.value !== null) sessionStorage.setItem(STORED, key);
}

export function signOut(because: string | null = null): void {
  const before = identity.peek();
  sessionStorage.removeItem(STORED);
  localStorage.removeItem(STORED);
  localStorage.removeItem(WORKSPACE);
  signedOutBecause.value = because;
  mustEnrol.value = false;
  failedSignIns.value = 0;
  identity.value = null;
  // A session that has ended by itself needs no end.
  if (before?.kind === 'session' && because === null)
    void fetch('/console/session', { method: 'DELETE', keepalive: true }).catch(() => {});
}
