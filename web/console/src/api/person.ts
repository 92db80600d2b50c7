import { Failure } from './failure.js';
import { failureOf } from './request.js';

/** Response of `/console/session` after signing in. */
export interface Person {
  user: {
    email: string;
    name: string;
    timeZone: string | null;
    hasPassword: boolean;
    twoFactor: boolean;
    proven: boolean;
  };
  workspaces: { id: string; name: string; role: string }[];
  failedSignIns: number;
}

/** Response if the person has to prove more: with the second factor, or with the password of the account. */
interface Needs {
  needs: 'code' | 'password';
}

export type Entered = Person | Needs;

export interface OpenSession {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  network: string;
  current: boolean;
}

interface Sent {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
  signal?: AbortSignal;
}

/** Sends a request below `/console/session`. Throws Failure. */
export async function askSession<T>(path: string, { method = 'GET', body, signal }: Sent = {}): Promise<T> {
  const response = await fetch(`/console/session${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
    cache: 'no-store',
  }).catch((thrown: unknown) => {
    if (signal?.aborted) throw thrown;
    throw new Failure('The service could not be reached.');
  });
  if (!response.ok) throw await failureOf(response);
  return (response.status === 204 ? null : response.json()) as Promise<T>;
}

/** Sends a form of a sign-in or of a one-time link. Throws Failure. */
export const enter = (path: string, body: object): Promise<Entered> =>
  askSession(path, { method: 'POST', body });

/** Returns the signed-in person with all sessions. */
export const readPerson = (signal: AbortSignal): Promise<Person & { data: OpenSession[] }> =>
  askSession('', { signal });
