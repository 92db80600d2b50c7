import type { Test } from 'tap';

/** A client of the API. Checks every response for what the contract promises of all responses. */

export interface Agent {
  id: string;
  name: string;
  url: string | null;
  createdAt: number | null;
  settings: Record<string, unknown>;
}

export interface Source {
  id: string;
  title: string;
  sourceType: string;
  createdAt: number | null;
  lastCrawledAt: number | null;
  sourceMetadata: unknown;
}

export interface List<T> {
  data: T[];
  pagination: { cursor: string | null; hasMore: boolean; total: number };
}

export interface ErrorBody {
  error: { code: string; message: string; details?: { fieldErrors?: Record<string, string[]> } };
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; null without one (HEAD). */
  body: T;
}

interface SendOptions {
  headers?: Record<string, string>;
  /** Sent unchanged, without a content type. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

export interface ApiClient {
  send<T>(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Answer<T>>;
  get<T>(path: string, options?: SendOptions): Promise<Answer<T>>;
  post<T>(path: string, body?: unknown, options?: SendOptions): Promise<Answer<T>>;
  patch<T>(path: string, body?: unknown, options?: SendOptions): Promise<Answer<T>>;
  delete<T>(path: string, options?: SendOptions): Promise<Answer<T>>;
  /** Creates an agent; rejects on failure. */
  agent(name?: string): Promise<Agent>;
}

/** `path` is relative to /api/v2; null sends no key. */
export function apiClient(baseUrl: string, key: string | null): ApiClient {
  async function send<T>(method: string, path: string, body?: unknown, { headers, raw }: SendOptions = {}) {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${baseUrl}/api/v2${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(raw === undefined && body !== undefined ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      // Bytes, because a string would add a content type.
      ...(payload === undefined
        ? {}
        : { body: typeof payload === 'string' ? Buffer.from(payload) : payload }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text };
    mustBeOurs(`${method} ${path}`, answer);
    const isFile = answer.headers.has('content-disposition');
    return { ...answer, body: (text === '' || isFile ? null : JSON.parse(text)) as T };
  }
  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
    async agent(name = 'An agent') {
      const { status, text, body } = await send<Agent>('POST', '/agents', { name });
      if (status !== 201) throw new Error(`could not create an agent: ${text}`);
      return body;
    },
  };
}

const promised = [
  ['x-request-id', /^[A-Za-z0-9._-]{1,128}$/],
  ['content-type', /^application\/json; charset=utf-8$/],
  ['cache-control', /^no-store$/],
] as const;

function mustBeOurs(
  what: string,
  { status, headers, text }: { status: number; headers: Headers; text: string },
): void {
  for (const [name, form] of promised) {
    if (name === 'content-type' && (status === 204 || headers.has('content-disposition'))) continue;
    if (!form.test(headers.get(name) ?? '')) {
      throw new Error(`${what}: header ${name} is ${headers.get(name)}; the answer: ${text.slice(0, 300)}`);
    }
  }
}

/** Checks for this error in exactly the form of the catalogue; `fields` are the names in `fieldErrors`. */
export function refused(
  t: Test,
  answer: Answer<unknown>,
  status: number,
  code: string,
  fields?: string[],
): void {
  const { error } = (answer.body ?? {}) as ErrorBody;
  t.equal(answer.status, status, answer.text.slice(0, 300));
  t.equal(error?.code, code, answer.text.slice(0, 300));
  t.strictSame(Object.keys(answer.body ?? {}), ['error']);
  t.type(error?.message, 'string');
  if (!fields) return;
  const messages = error?.details?.fieldErrors ?? {};
  t.strictSame(Object.keys(messages).sort(), [...fields].sort(), answer.text.slice(0, 300));
  for (const field of fields)
    t.ok(messages[field]?.length && messages[field].every(Boolean), `${field} has messages`);
}

/** Checks for 400 VALIDATION_INVALID_BODY that names exactly these fields. */
export const invalid = (t: Test, answer: Answer<unknown>, ...fields: string[]): void =>
  refused(t, answer, 400, 'VALIDATION_INVALID_BODY', fields.length === 0 ? undefined : fields);

/** Returns the body of a 2xx response; rejects with any other response. */
export async function body<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

/** Returns every item of a list, page by page. `between` runs after each page. */
export async function walk<T>(
  api: ApiClient,
  path: string,
  limit: number,
  between?: () => Promise<unknown>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: List<T> = await body(api.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${at}`));
    items.push(...page.data);
    cursor = page.pagination.cursor;
    if (cursor !== null) await between?.();
  } while (cursor !== null);
  return items;
}
