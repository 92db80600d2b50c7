import { Failure } from './failure.js';
import { failureOf } from './request.js';

/** Response of `/console/session` after signing in. */
export interface Person {
  user: { email: string; name: string };
  workspaces: { id: string; name: string; role: string }[];
  failedSignIns: number;
}

/** Sends a form of a sign-in or of a one-time link. Throws Failure. */
export async function enter(path: string, body: object): Promise<Person> {
  const response = await fetch(`/console/session${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
  }).catch(() => {
    throw new Failure('The service could not be reached.');
  });
  if (!response.ok) throw await failureOf(response);
  return response.json() as Promise<Person>;
}
