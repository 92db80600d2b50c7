import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request received by the provider. */
interface ProviderCall {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** The behaviour of the provider for one request. */
export type Play = (response: ServerResponse, call: ProviderCall) => void;

export interface FakeProvider {
  /** Base URL for options. */
  baseUrl: string;
  calls: ProviderCall[];
  /** Sets the next behaviours, in order; the last one repeats. */
  play(...plays: Play[]): void;
  /** Number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a provider of streamed chat completions on a free port; can be told to misbehave. */
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

/** Sends these events in pieces of this many bytes, then ends the answer. */
export const streams =
  (events: readonly string[], pieceBytes = Number.POSITIVE_INFINITY): Play =>
  (response) => {
    begin(response);
    const bytes = Buffer.from(events.join(''));
    const step = Math.min(pieceBytes, bytes.byteLength) || 1;
    for (let at = 0; at < bytes.byteLength; at += step) response.write(bytes.subarray(at, at + step));
    response.end();
  };

/** A well-behaved answer with these texts. */
export const says = (...texts: string[]): Play =>
  streams([...texts.map(delta), ends('stop'), counts(10, 5), done]);

/** Sends these events, then cuts the socket. */
export const breaksOff =
  (...events: string[]): Play =>
  (response) => {
    begin(response);
    response.write(events.join(''), () => setTimeout(() => response.destroy(), 20));
  };

/** Sends these events, then nothing, with the connection open. Without events not even headers. */
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
