import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerableCode } from '../../core/errors/catalogue.js';
import { requestIdOf } from '../../core/schemas/request-id.js';

/** Codes of the API where one says it; reserved ones say nothing, and no code of the API is about a signed URL. */
type UploadCode = AnswerableCode | 'UPLOAD_URL_INVALID';

/** Why an upload was not taken, as the client sees it. */
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

/** How long, and how much of, a body we do not want is read before the connection is cut. */
export interface Linger {
  milliseconds: number;
  bytes: number;
}

/** The client's id when it is well-formed, as everywhere in this API; else a new one. */
export function requestId(request: IncomingMessage): string {
  return requestIdOf(request.headers['x-request-id']);
}

export function accept(response: ServerResponse): void {
  writeJson(response, 201, {});
  response.end();
}

/**
 * Answers at once, then reads on before it closes. When a client that still sends is cut off, its system
 * throws away our answer, and it sees a broken connection instead of the reason.
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

/** The client holds its body back until we ask for it (`Expect: 100-continue`) and nobody has yet. */
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

/** Resolves with whether the body came to its end. */
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
