import { mustBeReadByClient } from './ai-client.js';

/** A client's view of an event stream. */

export interface StreamEvent {
  /** Id in the stream; an event may have its own `id`. */
  at: string;
  type: string;
  [field: string]: unknown;
}

export interface OpenStream {
  status: number;
  headers: Headers;
  /** Events so far. */
  events: StreamEvent[];
  /** Comments so far. */
  comments: string[];
  /** The unparsed stream. */
  raw(): string;
  /** True after `[DONE]`. */
  readonly done: boolean;
  /**
   * Resolves at the end of the stream; rejects if it was complete and the AI SDK's client reads a different
   * message.
   */
  over: Promise<void>;
  /** Resolves with the first matching event. */
  event(fits: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /** Cuts the connection. */
  cut(): void;
}

export interface StreamRequest {
  baseUrl: string;
  apiKey: string;
  path: string;
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Resolves once the response has started. */
export async function openStream(request: StreamRequest): Promise<OpenStream> {
  const { baseUrl, apiKey, path, method = 'GET', body, headers } = request;
  const connection = new AbortController();
  const response = await fetch(`${baseUrl}/api/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: connection.signal,
  });
  const waiting = new Set<() => void>();
  let raw = '';
  let rest = '';
  let done = false;
  let closed = false;
  const stream: OpenStream = {
    status: response.status,
    headers: response.headers,
    events: [],
    comments: [],
    raw: () => raw,
    get done() {
      return done;
    },
    over: Promise.resolve(),
    async event(fits) {
      for (;;) {
        const found = stream.events.find(fits);
        if (found) return found;
        if (closed) throw new Error(`the stream is over, without that event:\n${raw}`);
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    cut: () => connection.abort(),
  };

  function take(block: string): void {
    if (block.startsWith(':')) {
      stream.comments.push(block.slice(1).trim());
      return;
    }
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    if (fields.data === '[DONE]') done = true;
    else stream.events.push({ ...JSON.parse(fields.data ?? 'null'), at: fields.id ?? '' });
  }

  async function read(): Promise<void> {
    const text = new TextDecoder();
    try {
      for await (const bytes of response.body ?? []) {
        const piece = text.decode(bytes as Uint8Array, { stream: true });
        raw += piece;
        const blocks = `${rest}${piece}`.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) take(block);
        for (const look of waiting) look();
        waiting.clear();
      }
    } catch {
      // The connection was cut by either side.
    } finally {
      closed = true;
      for (const look of waiting) look();
    }
  }
  // The AI SDK's client must read every complete stream of the tests.
  stream.over = read().then(() => (done ? mustBeReadByClient(raw, stream.events) : undefined));
  return stream;
}

export const typesOf = (events: readonly StreamEvent[]): string[] => events.map(({ type }) => type);

/** The text of all events. */
export const textIn = (events: readonly StreamEvent[]): string =>
  events.map(({ type, delta }) => (type === 'text-delta' ? String(delta) : '')).join('');
