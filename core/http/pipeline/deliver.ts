import type { Context } from 'koa';
import { overloaded } from '../../errors/api-error.js';
import { type Hold, MemoryTaken } from '../limits/memory-budget.js';
import type { RouteResponse } from '../route.js';
import { STREAM_BYTES, sendEvents } from './event-stream.js';
import { jsonInSlices } from './json-in-slices.js';
import type { Watch } from './while-there.js';

/** Media type of NDJSON. */
export const LINES = 'application/x-ndjson';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Size in bytes up to which a response is never refused, because the socket buffers it. */
const SMALL_RESPONSE = 65_536;

/**
 * Keeps a response that is no page from running scripts of this origin, in a frame or in a popup of another page. A page has
 * a policy of its own.
 */
const inert = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-opener-policy': 'same-origin',
};

/** Returns the headers of every response but pages. */
export const headersOf = (ctx: Context): Record<string, string> => ({
  'x-request-id': ctx.state.requestId as string,
  'cache-control': 'no-store',
  ...inert,
});

/** Sets the headers that a response of a middleware lacks. A page decides about both policies itself. */
export function completeHeaders(ctx: Context): void {
  const { res } = ctx;
  if (res.headersSent) return;
  const isPage = res.hasHeader('content-security-policy');
  for (const [name, value] of Object.entries(headersOf(ctx)))
    if (!res.hasHeader(name) && !(isPage && name in inert)) res.setHeader(name, value);
}

/**
 * Sends the response, and holds memory for its bytes. Throws 503 for a read if its owner has too many unread responses. The
 * response to a change is always sent.
 */
export async function deliver(
  ctx: Context,
  response: RouteResponse,
  hold: Hold,
  watch?: Watch,
): Promise<void> {
  if ('events' in response) {
    hold.set(STREAM_BYTES);
    ctx.status = response.status;
    ctx.set(headersOf(ctx));
    const { events, headers = {} } = response;
    sendEvents(ctx, events, { headers, ...(watch ? { watch } : {}) });
  } else if ('lines' in response) {
    const { lines, next } = response;
    if (next !== null) ctx.res.setHeader('link', nextLink(ctx, next));
    const text = lines.map((row) => `${JSON.stringify(row)}\n`).join('');
    send(ctx, response.status, [text], hold, LINES);
  } else if ('file' in response) {
    // Encoded as in RFC 8187, which leaves no quote and no line break.
    const name = encodeURIComponent(response.name).replace(/['()*]/g, hexOf);
    ctx.res.setHeader('content-disposition', `attachment; filename*=UTF-8''${name}`);
    ctx.res.setHeader('x-content-type-options', 'nosniff');
    send(ctx, response.status, [response.file], hold, response.type);
  } else if ('body' in response) {
    const pieces = response.inSlices ? await jsonInSlices(response.body) : [encoded(response.body)];
    send(ctx, response.status, pieces, hold);
  } else ctx.status = response.status;
}

/** Turns a page of a list into lines, if the client asks for them. */
export function asAccepted(ctx: Context, response: RouteResponse): RouteResponse {
  if (!('body' in response) || ctx.accepts(['application/json', LINES]) !== LINES) return response;
  const { data, pagination } = response.body as Page;
  return { status: 200, lines: data, next: pagination.cursor };
}

interface Page {
  data: object[];
  pagination: { cursor: string | null };
}

const hexOf = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** The address of the next page (RFC 8288). */
function nextLink({ path, query }: Context, cursor: string): string {
  const next = new URLSearchParams({ ...(query as Record<string, string>), cursor });
  return `<${path}?${next}>; rel="next"`;
}

/** Encodes a response. A short one stays a string, which Node sends in one write with the headers. */
function encoded(body: object): string | Buffer {
  const json = JSON.stringify(body);
  return json.length > SMALL_RESPONSE ? Buffer.from(json) : json;
}

function send(ctx: Context, status: number, pieces: (string | Buffer)[], hold: Hold, type = JSON_TYPE): void {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const refusable = ctx.method === 'GET' && length > SMALL_RESPONSE;
  if (!refusable) hold.set(length);
  else if (!hold.change(length)) throw overloaded(new MemoryTaken());
  // Bypass Koa's body handling.
  ctx.respond = false;
  const { res } = ctx;
  if (!ctx.writable) return void res.end();
  res.writeHead(status, {
    ...headersOf(ctx),
    'Content-Type': type,
    'Content-Length': length,
  });
  for (const piece of pieces.slice(0, -1)) res.write(piece);
  res.end(pieces.at(-1));
}

/** Holds the maximum memory of a response before its data is read. Throws 503 if its owner holds too much. */
export function reserve(hold: Hold, bytes: number): void {
  if (!hold.change(bytes)) throw overloaded(new MemoryTaken());
}

/** Releases the memory when the client has read the response or has disconnected. Call it after the work. */
export function releaseWhenTaken({ res }: Context, hold: Hold): void {
  if (res.closed) hold.set(0);
  else res.once('close', () => hold.set(0));
}
