import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliError } from './cli-error.js';

/** Options of commands that call the API. */
export interface ApiOptions {
  url?: string;
  key?: string;
}

/** A client of a service's REST API, with an API key. */
export interface Api {
  readonly baseUrl: string;
  /** Number of requests sent, including retries. */
  readonly requests: number;
  /**
   * Sends a request below /api/v2. Retries if the service is busy or the connection is lost. Throws CliError with the
   * error of the API.
   */
  send<T>(method: string, path: string, body?: object): Promise<T>;
  /** Iterates over all items of a list. */
  list<T>(path: string): AsyncGenerator<T>;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 250;
const TIMEOUT_MS = 60_000;
const PAGE = 100;
/** Longest pause that the service can request, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/** Adds the options `--url` and `--key`, which environment variables can replace. */
export const withApi = (command: Command): Command =>
  command
    .option('--url <url>', `URL of the service; default: CADRE_URL, or ${DEFAULT_URL}`)
    .option('--key <key>', 'API key; default: CADRE_API_KEY');

/** Returns the URL and the key of the service. Throws USAGE if the key is missing or the URL is invalid. */
export function serviceOf({ url, key }: ApiOptions): { baseUrl: string; secret: string } {
  const baseUrl = (url ?? process.env.CADRE_URL ?? DEFAULT_URL).replace(/\/+$/, '');
  const secret = key ?? process.env.CADRE_API_KEY ?? '';
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new CliError('USAGE', `"${baseUrl}" is not an http or https URL.`);
  if (secret === '')
    throw new CliError('USAGE', 'There is no API key. Set CADRE_API_KEY, or give --key.', { advises: true });
  return { baseUrl, secret };
}

/**
 * Repeats a request while the service is busy or the connection is lost. Returns the last response, or null if the last
 * attempt had none.
 */
export async function persistently<R extends Pick<Response, 'status' | 'headers'>>(
  attempt: () => Promise<R>,
): Promise<R | null> {
  for (let tries = 1, pause = FIRST_PAUSE_MS; ; tries += 1, pause *= 2) {
    const response = await attempt().catch(() => null);
    const isBusy = response === null || response.status === 503 || response.status === 429;
    if (!isBusy || tries === MOST_TRIES) return response;
    // The header may hold a date, which is not supported.
    const asked = Number(response?.headers.get('retry-after')) * 1000 || 0;
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(pause, asked)) * (0.75 + Math.random() / 2));
  }
}

/** Throws as `serviceOf` does. */
export function apiOf(options: ApiOptions): Api {
  const { baseUrl, secret } = serviceOf(options);
  let requests = 0;

  async function attempt(method: string, path: string, request: RequestInit) {
    requests += 1;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${baseUrl}/api/v2${path}`, { ...request, method, signal });
    const { status, ok, headers } = response;
    return { status, ok, headers, text: await response.text() };
  }

  const api: Api = {
    baseUrl,
    get requests() {
      return requests;
    },
    async send<T>(method: string, path: string, body?: object): Promise<T> {
      const request: RequestInit = {
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          // With the key, the service executes a repeated request only once.
          ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      };
      const response = await persistently(() => attempt(method, path, request));
      if (!response) throw new CliError('SERVICE_UNAVAILABLE', `The service at ${baseUrl} does not answer.`);
      return read<T>(response, method, path);
    },
    async *list<T>(path: string) {
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = `${path.includes('?') ? '&' : '?'}limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const page: { data: T[]; pagination: { cursor: string | null } } = await api.send(
          'GET',
          path + query,
        );
        yield* page.data;
        cursor = page.pagination.cursor;
      }
    },
  };
  return api;
}

interface ApiErrorBody {
  error?: { code: string; message: string; details?: { fieldErrors?: Record<string, string[]> } };
}

/** Returns the body of a success. Throws CliError for everything else. */
function read<T>(response: { ok: boolean; status: number; text: string }, method: string, path: string): T {
  const body = parsed(response.text) as (T & ApiErrorBody) | null;
  if (response.ok && body !== null) return body;
  const error = body?.error;
  if (!error)
    throw new CliError(
      'API_REFUSED',
      `${method} ${path} answered ${response.status} without an error of the API.`,
    );
  const problems = Object.values(error.details?.fieldErrors ?? {})
    .flat()
    .filter((problem) => !error.message.includes(problem));
  const because = problems.length > 0 ? ` ${problems.slice(0, 5).join('; ')}.` : '';
  throw new CliError('API_REFUSED', `${error.code}: ${error.message}${because}`, {
    advises: true,
    apiCode: error.code,
  });
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return null;
  }
}
