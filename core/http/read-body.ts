import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { invalidBody } from '../errors/api-error.js';
import type { JsonObject } from '../ports/json.js';
import { limits } from '../schemas/limits.js';

// koa-body takes the bytes (and their compression and limit); what they must be is ours, stricter than its JSON parser.
// `binary` keeps every byte as it came.
const receive = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  text: true,
  textTypes: ['application/json'],
  textLimit: String(limits.bodyBytes),
  encoding: 'binary',
  onError: (cause) => {
    const { status } = cause as { status?: number };
    throw status === 413
      ? invalidBody(`The body is larger than ${limits.bodyBytes} bytes.`)
      : invalidBody('The body could not be read.');
  },
});

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The body as a JSON object. Throws 400 for anything else: no or another type, over 2 MiB, not UTF-8, a byte order mark,
 * malformed JSON (RFC 8259; of duplicate keys the last counts), another value than an object, U+0000 or a lone surrogate in a string.
 */
export async function readJsonObject(ctx: Context, timeoutMs: number): Promise<JsonObject> {
  if (ctx.is('application/json') !== 'application/json') {
    throw invalidBody('Send a JSON object with Content-Type: application/json.');
  }
  // Only now does a client that asked first hear that we want its body.
  if (ctx.req.headers.expect?.toLowerCase() === '100-continue') ctx.res.writeContinue();
  let text = '';
  await inTime(
    timeoutMs,
    receive(ctx as never, async () => {
      text = decode(Buffer.from(String((ctx.request as { body?: unknown }).body ?? ''), 'binary'));
    }),
  );
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody('The body must be a JSON object.');
  // Only an escape can smuggle these in: raw ones are no valid UTF-8 or no valid JSON.
  if (/\\u(?:0000|d[89a-f])/i.test(text) && hasUnstorableText(value)) {
    throw invalidBody('A string in the body holds U+0000 or a lone surrogate.');
  }
  return value as JsonObject;
}

/** A client that stops in the middle of its body gets its answer, too. */
async function inTime<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(invalidBody('The body did not come in time.')), timeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(late));
}

function decode(bytes: Buffer): string {
  if (bytes.length === 0) throw invalidBody('The body is empty.');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidBody('The body is not valid UTF-8.');
  }
  if (text.startsWith('\ufeff')) throw invalidBody('The body starts with a byte order mark.');
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidBody('The body is not valid JSON.');
  }
}

/** Walks without recursion: nesting is the client's choice. */
function hasUnstorableText(root: unknown): boolean {
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return true;
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) rest.push(key, inner);
    }
  }
  return false;
}
