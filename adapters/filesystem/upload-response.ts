import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseErrorCode } from '../../core/errors/catalogue.js';
import { requestIdOf } from '../../core/schemas/request-id.js';

/** Error codes: the API's where they fit; reserved codes carry no meaning, and no API code is about a signed URL. */
type UploadCode = ResponseErrorCode | 'UPLOAD_URL_INVALID';

/** The client's error for a rejected upload. */
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

/** Limits for reading a rejected body before the connection is closed. */
export interface Linger {
  milliseconds: number;
  bytes: number;
}

/** Returns the client's request id if it is well-formed, else a new one. */
export function requestId(request: IncomingMessage): string {
  return requestIdOf(request.headers['x-request-id']);
}

export function accept(response: ServerResponse): void {
  writeJson(response, 201, {});
  response.end();
}

/**
 * Responds at once, then reads on before it closes the connection. If a client is cut off while it sends, its system
 * drops our response, and it sees a broken connection instead of the reason.
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

/** The client waits for a 100 response (`Expect: 100-continue`) that has not been sent. */
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

/** Resolves with whether the body was complete. */
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
