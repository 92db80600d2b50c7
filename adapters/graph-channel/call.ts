import { Agent, errors, request as send } from 'undici';
import { ChannelFailure } from '../../core/ports/channel.port.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/schemas/json.js';
import { codeOf } from './facts.js';
import type { GraphOptions } from './options.js';
import { proofOf } from './signature.js';

const CONNECT_MS = 5000;
const CALL_MS = 15_000;
const RESPONSE_BYTES = 1_048_576;

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  token: string;
  query?: Record<string, string>;
  body?: JsonObject;
}

export interface Caller {
  call(call: Call): Promise<JsonObject>;
  close(): Promise<void>;
}

/** Error codes of requests of which no byte was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH']);

const asNumber = (value: unknown): number | null => (Number.isInteger(value) ? (value as number) : null);

function refusalOf(httpStatus: number, body: JsonValue | undefined): ChannelFailure {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : {};
  const upstreamCode = asNumber(error.code);
  const code = codeOf({ httpStatus, code: upstreamCode, subcode: asNumber(error.error_subcode) });
  // After a 5xx, the platform may have performed the call nevertheless.
  return new ChannelFailure(code, { httpStatus, upstreamCode, sure: code !== 'PLATFORM_UNAVAILABLE' });
}

/** Converts a connection error without its message, which may quote the request. */
function brokenCall(error: unknown, isExpired: boolean): ChannelFailure {
  const { code = '' } = error as { code?: string };
  if (UNSENT.has(code)) return new ChannelFailure('NETWORK', { sure: true });
  const isTimeout = isExpired || error instanceof errors.HeadersTimeoutError;
  return new ChannelFailure(isTimeout ? 'TIMEOUT' : 'NETWORK', { sure: false });
}

/** Creates a caller of the platform. It does not follow redirects, which would send the token to another host. */
export function createCaller({ baseUrl, version, appSecret }: GraphOptions): Caller {
  // No pipelining and no retry, so that each call is sent at most once.
  const agent = new Agent({
    connect: { timeout: CONNECT_MS },
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const base = `${baseUrl.replace(/\/+$/, '')}/${version}/`;
  return {
    async call({ method, path, token, query = {}, body }) {
      const url = new URL(path, base);
      url.search = new URLSearchParams({ ...query, appsecret_proof: proofOf(appSecret, token) }).toString();
      const expiry = AbortSignal.timeout(CALL_MS);
      let status: number;
      let result: JsonValue | undefined;
      try {
        const response = await send(url, {
          dispatcher: agent,
          method,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
          signal: expiry,
        });
        status = response.statusCode;
        result = await read(response.body);
      } catch (error) {
        throw brokenCall(error, expiry.aborted);
      }
      if (status < 200 || status > 299) throw refusalOf(status, result);
      if (!isJsonObject(result)) throw new ChannelFailure('UNKNOWN', { httpStatus: status, sure: false });
      return result;
    },
    close: () => agent.destroy(),
  };
}

/** Reads a response as JSON. Returns undefined if it is not JSON or is too long. */
async function read(body: AsyncIterable<Uint8Array>): Promise<JsonValue | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > RESPONSE_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as JsonValue;
  } catch {
    return undefined;
  }
}
