import { currentIdentity, type Identity, mustEnrol, signOut } from '../session.js';
import { asFailure, Failure } from './failure.js';
import type { ErrorBody, Page } from './types.js';

export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | null | undefined>;
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Used instead of the current one: to test a key, or for work that outlives signing out. */
  as?: Identity;
  /** Lets the request outlive the page. */
  keepalive?: boolean;
}

const BASE = '/api/v2';
/** Base of requests with the session's cookie. */
const CONSOLE_BASE = '/console/api/v2';

const credentialsOf = (identity: Identity | null): Record<string, string> =>
  identity?.kind === 'session'
    ? { 'cadre-workspace': identity.workspaceId }
    : { authorization: `Bearer ${identity?.key}` };

/** Maximum retries after overload responses, which state that nothing was changed. */
const MAX_RETRIES = 4;

/** Sends a request and returns a successful response. Throws Failure; an invalid key ends the session. */
export async function send(
  path: string,
  { method = 'GET', query = {}, body, ...more }: Ask = {},
): Promise<Response> {
  const { headers, signal, keepalive = false, as = currentIdentity() } = more;
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value == null || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString();
  const request: RequestInit = {
    method,
    headers: {
      ...credentialsOf(as),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
    credentials: as?.kind === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    keepalive,
  };
  const url = `${as?.kind === 'session' ? CONSOLE_BASE : BASE}${path}${parameters && `?${parameters}`}`;
  for (let attempt = 1; ; attempt += 1) {
    const response = await reach(url, request);
    if (response.ok) return response;
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status === 503 && attempt < MAX_RETRIES) {
      await pause(Math.max(1, seconds) * 1000 * attempt, signal);
      continue;
    }
    const failure = await failureOf(response);
    // A change that needs it, needs it in a workspace that does not require it.
    if (failure.required === 'twoFactor' && method === 'GET') mustEnrol.value = true;
    if (response.status === 401 && more.as === undefined)
      signOut(
        as?.kind === 'session'
          ? 'Your session has ended. Sign in again.'
          : 'Your key is no longer valid. Sign in again.',
      );
    throw failure;
  }
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Failure('The service could not be reached.');
  }
}

export async function failureOf(response: Response): Promise<Failure> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: ErrorBody };
  return new Failure(
    error?.message ?? `The service answered with status ${response.status}.`,
    error,
    response,
  );
}

/** Waits. Rejects if the signal is aborted. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Pause after a failure, in milliseconds. */
export const FAULT_MS = 3000;

/** Repeats work until it succeeds. Throws Failure if it is refused for good, and if the signal is aborted. */
export async function persist<T>(
  work: () => Promise<T>,
  { signal, onFailure }: { signal?: AbortSignal; onFailure?: (failure: Failure) => void } = {},
): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (thrown) {
      signal?.throwIfAborted();
      const failure = asFailure(thrown);
      onFailure?.(failure);
      if (!failure.mayRetry) throw failure;
      await pause(FAULT_MS, signal);
    }
}

/** Returns the JSON of the response. */
export async function ask<T>(path: string, options: Ask = {}): Promise<T> {
  return (await send(path, options)).json() as Promise<T>;
}

export const page = <T>(path: string, query: Ask['query'], signal: AbortSignal): Promise<Page<T>> =>
  ask(path, { query: { limit: 50, ...query }, signal });

/** Path of an agent or one of its resources. */
export const agentPath = (agentId: string, ...parts: string[]): string =>
  ['/agents', agentId, ...parts.map(encodeURIComponent)].join('/');
