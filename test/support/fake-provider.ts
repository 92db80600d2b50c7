import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that the provider got. */
export interface ProviderCall {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** How the provider behaves once. */
export type Play = (response: ServerResponse, call: ProviderCall) => void;

export interface FakeProvider {
  /** Base URL for options. */
  baseUrl: string;
  calls: ProviderCall[];
  /** What comes next, in this order; the last one again and again. */
  play(...plays: Play[]): void;
  /** Connections that are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A provider of streamed chat completions on a socket of its own, that can be told to misbehave. */
export async function startFakeProvider(...first: Play[]): Promise<FakeProvider> {
  const calls: ProviderCall[] = [];
  let plays = first;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
      const call = { headers: request.headers, body };
      calls.push(call);
      const play = plays.length > 1 ? plays.shift() : plays[0];
      response.on('error', () => {});
      play?.(response, call);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    play(...next) {
      plays = next;
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const data = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;

export const delta = (content: string): string => data({ choices: [{ index: 0, delta: { content } }] });
export const refusal = (said: string): string => data({ choices: [{ index: 0, delta: { refusal: said } }] });
export const ends = (reason: string): string =>
  data({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
export const counts = (input: number, output: number): string =>
  data({
    choices: [],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  });
export const done = 'data: [DONE]\n\n';
export const toolFragment = (index: number, name: string | null, written: string): string =>
  data({
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            {
              index,
              ...(name === null ? {} : { id: `p_${index}` }),
              function: { ...(name === null ? {} : { name }), arguments: written },
            },
          ],
        },
      },
    ],
  });

const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });

/** These events, in pieces of so many bytes, and the end of the answer. */
export const streams =
  (events: readonly string[], pieceBytes = Number.POSITIVE_INFINITY): Play =>
  (response) => {
    begin(response);
    const bytes = Buffer.from(events.join(''));
    const step = Math.min(pieceBytes, bytes.byteLength) || 1;
    for (let at = 0; at < bytes.byteLength; at += step) response.write(bytes.subarray(at, at + step));
    response.end();
  };

/** These texts, well behaved. */
export const says = (...texts: string[]): Play =>
  streams([...texts.map(delta), ends('stop'), counts(10, 5), done]);

/** These events, and then the socket is cut. */
export const breaksOff =
  (...events: string[]): Play =>
  (response) => {
    begin(response);
    response.write(events.join(''), () => setTimeout(() => response.destroy(), 20));
  };

/** These events, and then nothing, with the connection open. Without events not even headers. */
export const fallsSilent =
  (...events: string[]): Play =>
  (response) => {
    if (events.length > 0) begin(response).write(events.join(''));
  };

export const answers =
  (status: number, body: object | string = {}, headers: Record<string, string> = {}): Play =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
