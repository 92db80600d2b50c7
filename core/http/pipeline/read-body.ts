import { isAscii, isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { ApiError, invalidBody, overloaded } from '../../errors/api-error.js';
import { catalogue } from '../../errors/catalogue.js';
import { inTime } from '../../fairness/time-limit.js';
import { nextSlice, timeSlices } from '../../fairness/time-slices.js';
import type { JsonObject } from '../../schemas/json.js';
import { countValues, holdsMoreValues, leastBytes } from '../../schemas/json-values.js';
import { limits } from '../../schemas/limits.js';
import type { Permit } from '../limits/admission.js';
import { type Hold, MemoryTaken } from '../limits/memory-budget.js';
import { boundedBody } from './receive-body.js';

type Receiver = (ctx: Context, body: Readable) => Promise<Buffer>;

// koa-body collects the bytes of a bounded stream. We parse them ourselves, because our rules are stricter. The module is
// loaded with the first body, because it imports a hundred other modules.
async function openReceiver(): Promise<Receiver> {
  const { koaBody } = await import('koa-body');
  const receive = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: ['application/json'],
    textLimit: String(limits.body.bytes),
    encoding: '',
    onError: (cause) => {
      throw cause instanceof ApiError ? cause : invalidBody('The body could not be read.');
    },
  });
  return async (ctx, body) => {
    const { headers } = ctx.req;
    const request = ctx.request as { body?: unknown };
    // By default, koa-body leaves the body of a DELETE unread.
    const reading = Object.create(ctx, {
      req: { value: Object.assign(body, { headers }) },
      method: { value: 'POST' },
    }) as Context;
    await receive(reading as never, (() => {}) as never);
    const { body: bytes } = request;
    delete request.body;
    return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  };
}
let receiver: Promise<Receiver> | undefined;

const tooLarge = (maxBytes: number) =>
  invalidBody(`The body is larger than ${maxBytes} bytes. Send a smaller one.`);

/** Bytes of memory per byte of a body, for the byte, its text and the parsed values. */
const BODY_COST = 4;
/** Size in bytes above which a body takes milliseconds to parse, and so gets its own slice of the event loop. */
const LONG_BODY = 256 * 1024;
/** How long an unread body may wait for memory, in milliseconds. */
const ROOM_MS = 1000;
interface ReadingOptions {
  /** Maximum time to receive the body. */
  timeoutMs: number;
  /** Memory of the bytes that have arrived. The caller releases it. */
  hold: Hold;
  /** Permit of the request. It is not held while the body arrives. */
  permit: Pick<Permit, 'without'>;
  /** Field whose values do not count towards the limit of values. */
  uncountedField?: string | undefined;
  /** Code for malformed JSON. Defaults to VALIDATION_INVALID_BODY. */
  malformed?: 'VALIDATION_INVALID_BODY' | 'VALIDATION_INVALID_JSON' | undefined;
  /** Maximum size, if it is less than that of other bodies. */
  maxBytes?: number;
}

/**
 * Parses the body as a JSON object. Throws 400 for a wrong or missing content type, compression, more than 2 MiB, invalid
 * UTF-8, a byte order mark, malformed JSON (RFC 8259; the last of duplicate keys counts), more than 10,000 values, a value
 * that is not an object, and U+0000 or a lone surrogate in a string. The code for malformed JSON, or an empty body, is
 * `malformed`. Throws 503 if no memory becomes free within a second. Until its first byte arrives, a body holds neither
 * memory nor the permit.
 */
export async function readJsonObject(
  ctx: Context,
  { uncountedField, malformed = 'VALIDATION_INVALID_BODY', permit, ...options }: ReadingOptions,
): Promise<JsonObject> {
  const noJson: NoJson = (message) => new ApiError(malformed, { message });
  const read = () => readBytes(ctx, { malformed, noJson, ...options });
  const bytes = await (ctx.req.complete ? read() : permit.without(read));
  return parseObject(bytes, uncountedField, noJson);
}

async function readBytes(
  ctx: Context,
  {
    timeoutMs,
    hold,
    malformed,
    maxBytes = limits.body.bytes,
    noJson,
  }: Omit<ReadingOptions, 'uncountedField' | 'permit'> & { noJson: NoJson },
): Promise<Buffer> {
  if (malformed === 'VALIDATION_INVALID_JSON' && (await inTime(timeoutMs, isEmpty(ctx), tooLate)))
    throw noJson(EMPTY);
  if (ctx.is('application/json') !== 'application/json') {
    throw invalidBody('Send a JSON object with Content-Type: application/json.');
  }
  // A few bytes can inflate to megabytes.
  if ((ctx.req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw invalidBody('Send the body without Content-Encoding.');
  }
  const announced = Number(ctx.req.headers['content-length'] ?? maxBytes);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const expected = announced * BODY_COST;
  if (!(await hold.roomWithin(expected, ROOM_MS))) throw overloaded(new MemoryTaken());
  if (ctx.req.headers.expect?.toLowerCase() === '100-continue') ctx.res.writeContinue();
  receiver ??= openReceiver();
  const receive = await receiver;
  const body = boundedBody(ctx.req, {
    maxBytes,
    timeoutMs,
    grow: (size) => hold.growWithin(size * BODY_COST, expected, ROOM_MS),
    tooLarge: () => tooLarge(maxBytes),
  });
  const bytes = await receive(ctx, body);
  hold.set(bytes.length * BODY_COST);
  return bytes;
}

async function parseObject(
  bytes: Buffer,
  uncountedField: string | undefined,
  noJson: NoJson,
): Promise<JsonObject> {
  if (bytes.length > LONG_BODY) await nextSlice();
  const pause = timeSlices();
  const text = decode(bytes, noJson);
  const { values, bytesOfMoreValues } = limits.body;
  const holdsMore = holdsMoreValues(bytes, values);
  // Refuse a body that must have too many values without parsing it, because parsing time grows with their number.
  if (holdsMore && leastBytes(bytes) > bytesOfMoreValues) throw tooManyValues();
  await pause();
  const value = parse(text, noJson);
  await pause();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody('The body must be a JSON object.');
  if (holdsMore) {
    const { [uncountedField ?? '']: _, ...counted } = value as JsonObject;
    if (uncountedField === undefined || countValues(counted) > values) throw tooManyValues();
  }
  // Only escapes can produce these characters. Unescaped, they are invalid UTF-8 or JSON.
  if (text.includes('\\u') && /\\u(?:0000|d[89a-f])/i.test(text) && hasUnstorableText(value)) {
    throw invalidBody('A string in the body holds U+0000 or a lone surrogate. Remove these characters.');
  }
  await pause();
  return value as JsonObject;
}

type NoJson = (message: string) => ApiError;

const EMPTY = 'The body is empty. Send a JSON object.';

/** Returns whether the body is empty. Waits for the first byte only if the request has no Content-Length. */
async function isEmpty(ctx: Context): Promise<boolean> {
  const { req, res } = ctx;
  const { 'content-length': length, 'transfer-encoding': coding, expect } = req.headers;
  if (coding === undefined) return Number(length ?? 0) === 0;
  // For JSON, the parser reports an empty body.
  if (ctx.is('application/json') === 'application/json') return false;
  if (expect?.toLowerCase() === '100-continue') res.writeContinue();
  return new Promise((resolve) => {
    req.once('end', () => resolve(true)).once('close', () => resolve(true));
    req.on('readable', () => {
      if (req.read() !== null) resolve(false);
    });
  });
}

const tooLate = (): never => {
  throw invalidBody('The body did not arrive in time. Try again.');
};

function decode(bytes: Buffer, noJson: NoJson): string {
  if (bytes.length === 0) throw noJson(EMPTY);
  if (!isUtf8(bytes)) throw noJson('The body is not valid UTF-8. Encode it as UTF-8.');
  // Most bodies are ASCII; decoding them as latin1 is several times faster.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  if (text.startsWith('\ufeff')) throw noJson('The body starts with a byte order mark. Send it without one.');
  return text;
}

const tooManyValues = () =>
  invalidBody(`The body holds more than ${limits.body.values} JSON values. Send fewer.`);

function parse(text: string, noJson: NoJson): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noJson(catalogue.VALIDATION_INVALID_JSON.message);
  }
}

/** Searches without recursion, because the client decides the nesting. */
function hasUnstorableText(root: unknown): boolean {
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return true;
    } else if (Array.isArray(value)) {
      for (const inner of value) rest.push(inner);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) rest.push(key, inner);
    }
  }
  return false;
}
