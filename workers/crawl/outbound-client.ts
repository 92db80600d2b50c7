import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Agent, request as send } from 'undici';
import { normalisedUrl, refusalOfUrl } from '../../core/knowledge/urls/source-url.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import { shownPage, shownWebhook } from '../../core/tasks/shown-url.js';
import { inSpan } from '../../core/tracing/trail.js';
import { type Cookies, createCookies } from './cookies.js';
import type { CrawlSettings } from './crawl-settings.js';
import { guardedConnector } from './guarded-connector.js';
import type { Network } from './network.js';
import { networkFailure } from './network-failure.js';
import { createPostClient } from './post-client.js';
import { acceptedEncodings, type BodyLimits, readBody, refuseDeclaredLength } from './response-body.js';
import { startTimeBudget, type TimeBudget } from './time-budget.js';
import type { Visit } from './visits.js';

export interface ResponseHead {
  status: number;
  /** Returns the value of a header, or null. Of a repeated header that is no list, the first value. */
  header(name: string): string | null;
  /** Returns the values of a header, one for each time that the server sent it. */
  headerLines(name: string): string[];
  url: URL;
  /** Whether the request had validators, so that a 304 refers to them. */
  validated: boolean;
}

export interface OutboundResponse extends ResponseHead {
  bytes: Uint8Array<ArrayBuffer>;
}

export interface OutboundRequest extends BodyLimits {
  url: string;
  accept: string;
  /** Validators that are sent only to this URL, which may be the requested URL or a redirect target. */
  validators?: { url: string; headers: Readonly<Record<string, string>> };
  /** Body to send by POST, with additional headers. */
  send?: { headers: Readonly<Record<string, string>>; body: string };
  maxRedirects: number;
  /** If false, a redirect is returned like any other response. */
  followRedirects?: boolean;
  /** Waits for the host's permit before each request. The wait does not count towards the timeout. */
  visit: Visit;
  /**
   * Called before each request. Throws to reject it. Its time counts towards the timeout, except while `time` is
   * paused.
   */
  beforeHop?(url: URL, time: TimeBudget): Promise<void>;
  /**
   * Called with the final response before its body is read. Throws to reject it, or returns false to skip the body.
   */
  admit(head: ResponseHead): boolean;
  /** Called with the beginning of the decoded body, and again with all of it. Throws to reject it. */
  admitStart?(head: ResponseHead, start: Uint8Array): void;
  /**
   * Called with the body of a response. Returns the URL to which the page leads by itself, or null. The same rules apply as to
   * the target of a redirect.
   */
  redirectIn?(response: OutboundResponse, time: TimeBudget): Promise<string | null>;
  signal: AbortSignal;
}

/** Makes all outbound HTTP requests of the worker. */
export interface OutboundClient {
  /** Makes a request and follows redirects. Throws TaskFailure, or the signal's reason if it aborts. */
  fetch(request: OutboundRequest): Promise<OutboundResponse>;
  close(): Promise<void>;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Headers of which all values count if a server repeats them. */
const lists = new Set(['content-encoding', 'content-type']);

/** Returns the functions that read these headers. */
const readersOf = (headers: IncomingHttpHeaders): Pick<ResponseHead, 'header' | 'headerLines'> => {
  const headerLines = (name: string): string[] => [headers[name] ?? []].flat();
  const header = (name: string): string | null => {
    const values = headerLines(name);
    return (lists.has(name) && values.length > 0 ? values.join(', ') : values[0]) ?? null;
  };
  return { header, headerLines };
};

/** Escapes bytes outside of ASCII as browsers do. undici decodes headers as Latin-1, so each character is a byte. */
const escapedBytes = (location: string): string =>
  location.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The URL of a redirect, or a response. */
type Hop = { next: URL } | { response: OutboundResponse; hasNewCookie: boolean };

/**
 * Maximum characters of a redirect target. The time to parse an international host name is quadratic in its length.
 */
const MAX_LOCATION = 4096;

const badRedirect = (what: string): TaskFailure =>
  new TaskFailure('FETCH_FAILED', {
    message: `The site redirects to ${what}. Submit the final URL instead.`,
    verdict: 'give-up',
  });

/**
 * Normalises the URL of a request or redirect. Throws TaskFailure: the rules for submitted URLs apply to every
 * redirect.
 */
const checkedHop = (text: string, base: URL | null, refusalOf: typeof refusalOfUrl): URL => {
  if (text.length > MAX_LOCATION) throw badRedirect('a URL of more than 4,096 characters');
  if (!URL.canParse(text, base?.href)) throw badRedirect('an invalid URL');
  const url = normalisedUrl(new URL(text, base?.href));
  const refusal = refusalOf(url);
  if (refusal === null) return url;
  const subject = base ? 'The URL redirects to another one, which' : 'The URL';
  throw new TaskFailure('ADDRESS_REFUSED', {
    message: `${subject} ${refusal}. Only public sites can be indexed.`,
  });
};

const originsOf = (resolve: CrawlSettings['resolve']): ReadonlyMap<string, string> =>
  new Map(Object.entries(resolve).map(([from, to]) => [new URL(from).origin, new URL(to).origin]));

export const createOutboundClient = (
  settings: CrawlSettings,
  network: Network,
  refusalOf: typeof refusalOfUrl = refusalOfUrl,
): OutboundClient => {
  const { timeoutMs, userAgent } = settings;
  // The time budget of the fetch replaces the timeouts of undici.
  const untimed = { headersTimeout: 0, bodyTimeout: 0 };
  const publicAgent = new Agent({ ...untimed, connect: guardedConnector(network, timeoutMs) });
  const mappedAgent = new Agent({ ...untimed, connect: { timeout: timeoutMs } });
  const publicPosts = createPostClient(network);
  const mappedPosts = createPostClient(null);
  const mapped = originsOf(settings.resolve);

  const dial = async (
    url: URL,
    request: OutboundRequest,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: Readable }> => {
    const target = mapped.get(url.origin);
    const address = `${target ?? url.origin}${url.pathname}${url.search}`;
    const headers = {
      host: url.host,
      'user-agent': userAgent,
      accept: request.accept,
      'accept-encoding': acceptedEncodings,
      ...more,
      ...request.send?.headers,
    };
    if (request.send) {
      const { post } = target === undefined ? publicPosts : mappedPosts;
      const body = await post({ url: new URL(address), headers, body: request.send.body, signal });
      return { status: body.statusCode ?? 0, headers: body.headers, body };
    }
    const dispatcher = target === undefined ? publicAgent : mappedAgent;
    const { statusCode, ...response } = await send(address, { dispatcher, headers, signal });
    return { ...response, status: statusCode };
  };

  /** Makes one request. */
  const hop = async (
    url: URL,
    request: OutboundRequest,
    cookies: Cookies,
    signal: AbortSignal,
  ): Promise<Hop> => {
    const validators = request.validators?.url === url.href ? request.validators.headers : {};
    const more = { ...validators, ...cookies.headers(url.origin) };
    const { status, headers, body } = await dial(url, request, more, signal);
    const hasNewCookie = cookies.take(url.origin, headers['set-cookie']);
    // Ignore the error that a destroyed body emits.
    body.on('error', () => {});
    try {
      const validated = Object.keys(validators).length > 0;
      const head: ResponseHead = { status, ...readersOf(headers), url, validated };
      const location = head.header('location');
      const { followRedirects = true } = request;
      if (followRedirects && redirectStatuses.has(status) && location !== null)
        return { next: checkedHop(escapedBytes(location), url, refusalOf) };
      if (!request.admit(head)) return { response: { ...head, bytes: new Uint8Array() }, hasNewCookie };
      refuseDeclaredLength(head.header('content-length'), request);
      const admitStart = (start: Uint8Array) => request.admitStart?.(head, start);
      const bytes = await readBody(body, head.header('content-encoding') ?? '', request, signal, admitStart);
      return { response: { ...head, bytes }, hasNewCookie };
    } finally {
      body.destroy();
    }
  };

  /** Returns the URL for spans without secrets. A request with a body goes to a webhook. */
  const shownUrl = ({ url, send }: OutboundRequest): string =>
    send ? shownWebhook(url) : shownPage(url, '');

  return {
    fetch: (request) =>
      inSpan('fetch', 'client', async (span) => {
        span?.set({ 'url.full': shownUrl(request) });
        const response = await fetch(request);
        const { status, bytes } = response;
        span?.set({ 'http.response.status_code': status, 'cadre.fetch.bytes': bytes.byteLength });
        return response;
      }),
    async close() {
      for (const posts of [publicPosts, mappedPosts]) posts.close();
      await Promise.all([publicAgent.destroy(), mappedAgent.destroy()]);
    },
  };

  async function fetch(request: OutboundRequest): Promise<OutboundResponse> {
    const budget = startTimeBudget(timeoutMs, request.signal);
    try {
      const cookies = createCookies();
      let url = checkedHop(request.url, null, refusalOf);
      for (let redirects = 0; redirects <= request.maxRedirects; redirects += 1) {
        await request.beforeHop?.(url, budget);
        let answer: Hop;
        const leaveHost = await budget.pausedDuring(() => request.visit.enter(url.host, request.signal));
        try {
          answer = await hop(url, request, cookies, budget.signal);
        } finally {
          leaveHost();
        }
        if ('next' in answer) {
          url = answer.next;
          continue;
        }
        const { response, hasNewCookie } = answer;
        const target = (await request.redirectIn?.(response, budget)) ?? null;
        const next = target === null ? null : checkedHop(target, url, refusalOf);
        // A page that reloads itself is the page, unless it waits for its cookie.
        if (next === null || (next.href === url.href && !hasNewCookie)) return response;
        url = next;
      }
      throw new TaskFailure('TOO_MANY_REDIRECTS');
    } catch (error) {
      request.signal.throwIfAborted();
      if (budget.expired() && !(error instanceof TaskFailure))
        throw new TaskFailure('FETCH_TIMEOUT', { cause: error });
      throw networkFailure(error);
    } finally {
      budget.stop();
    }
  }
};
