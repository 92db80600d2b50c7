import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseErrorCode } from '../../core/errors/catalogue.js';
import { requestIdOf } from '../../core/schemas/request-id.js';

/** Codes of upload errors: those of the API where they fit. No code of the API means an invalid upload URL. */
type UploadCode = ResponseErrorCode | 'UPLOAD_URL_INVALID';

/** The error response to a rejected upload. */
export class UploadRefused extends Error {
  readonly status: number;
  readonly code: UploadCode;
  readonly headers: Record<string, string>;
  constructor(status: number, code: UploadCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'UploadRefused';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Limits for reading the body of a rejected upload before the connection is closed. */
export interface Linger {
  milliseconds: number;
  bytes: number;
}

/** Returns the client's request id if it is well-formed; otherwise a new id. */
export function requestId(request: IncomingMessage): string {
  return requestIdOf(request.headers['x-request-id']);
}

export function accept(response: ServerResponse): void {
  writeJson(response, 201, {});
  response.end();
}

/**
 * Responds immediately, then reads the body before it closes the connection. Otherwise, the operating system of a
 * client that is still sending would discard the response, and the client would only get a connection error.
 */
export async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: UploadRefused,
  linger: Linger,
): Promise<void> {
  const unsent = awaitsContinue(request, response);
  const headers = { ...refusal.headers, ...(unsent ? { connection: 'close' } : {}) };
  writeJson(response, refusal.status, { error: { code: refusal.code, message: refusal.message } }, headers);
  const finished = unsent || (await readOut(request, linger));
  response.end();
  if (!finished) request.destroy();
}

/**
 * Returns whether the client waits for a response with status 100 (`Expect: 100-continue`) that has not been sent.
 */
export const awaitsContinue = (request: IncomingMessage, response: ServerResponse): boolean =>
  request.headers.expect?.toLowerCase() === '100-continue' &&
  !('_sent100' in response && response._sent100 === true);

function writeJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.byteLength,
    'cache-control': 'no-store',
  });
  response.write(bytes);
}

/** Reads the body within the limits. Resolves to whether it was complete. */
function readOut(request: IncomingMessage, linger: Linger): Promise<boolean> {
  return new Promise((resolve) => {
    let left = linger.bytes;
    const done = (finished: boolean): void => {
      clearTimeout(timer);
      resolve(finished);
    };
    const timer = setTimeout(done, linger.milliseconds, false);
    request.on('data', (chunk: Buffer) => {
      left -= chunk.byteLength;
      if (left < 0) done(false);
    });
    request.on('error', () => done(false));
    request.on('close', () => done(request.readableEnded));
    request.on('end', () => done(true));
    if (request.readableEnded || request.destroyed) done(request.readableEnded);
    else request.resume();
  });
}
