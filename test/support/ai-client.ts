import { isDeepStrictEqual } from 'node:util';
import type { UIMessage, UIMessageChunk } from 'ai';
import type { StreamEvent } from './event-stream.js';

/*
 * Reads our streams with the client of the AI SDK: its transport validates every event, and its reader builds the
 * message.
 */

export interface ReadByClient {
  chunks: UIMessageChunk[];
  /** The final message for a user interface, or undefined. */
  message: UIMessage | undefined;
  /** Messages of `onError`. */
  errors: string[];
}

/** Reads a stream of the SDK's transport. `see` receives each state of the message. */
export async function readByClient(
  stream: ReadableStream<UIMessageChunk>,
  see: (message: UIMessage) => void = () => {},
): Promise<ReadByClient> {
  const { readUIMessageStream } = await import('ai');
  const chunks: UIMessageChunk[] = [];
  const errors: string[] = [];
  const seen = new TransformStream<UIMessageChunk, UIMessageChunk>({
    transform(chunk, controller) {
      chunks.push(chunk);
      controller.enqueue(chunk);
    },
  });
  let message: UIMessage | undefined;
  const states = readUIMessageStream({
    stream: stream.pipeThrough(seen),
    onError: (error) => void errors.push(error instanceof Error ? error.message : String(error)),
  });
  for await (const state of states) {
    message = state;
    see(state);
  }
  return { chunks, message, errors };
}

export const textSeen = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Reads a whole stream with the SDK's transport. */
async function transported(raw: string): Promise<ReadableStream<UIMessageChunk>> {
  const { DefaultChatTransport } = await import('ai');
  const transport = new DefaultChatTransport({
    api: 'http://localhost/',
    fetch: async () => new Response(raw),
  });
  return transport.sendMessages({
    trigger: 'submit-message',
    chatId: 'c',
    messageId: undefined,
    messages: [],
    abortSignal: undefined,
  });
}

/** Rejects if the client's message differs from the events. */
export async function mustBeReadByClient(raw: string, events: readonly StreamEvent[]): Promise<void> {
  const expected = events.map(({ at: _, ...event }) => event);
  const [start] = events;
  if (start?.type !== 'start') {
    // The rest of a resumed stream has events, but no complete message.
    const chunks: unknown[] = [];
    for await (const chunk of (await transported(raw)) as unknown as AsyncIterable<unknown>)
      chunks.push(chunk);
    return mustEqual('the events', chunks, expected);
  }
  const { chunks, message, errors } = await readByClient(await transported(raw));
  mustEqual('the events', chunks, expected);
  const of = (type: string) => events.filter((event) => event.type === type);
  const text = of('text-delta').map(({ delta }) => delta);
  mustEqual('the text', textSeen(message), text.join(''));
  mustEqual(
    'the errors',
    errors,
    of('error').map(({ errorText }) => errorText),
  );
  if (start.messageId !== undefined && message) mustEqual('the id', message.id, start.messageId);
  const [finish] = of('finish');
  if (finish && message)
    mustEqual('the metadata', message.metadata, {
      ...(start.messageMetadata as object),
      ...(finish.messageMetadata as object),
    });
  const calls = message?.parts.filter(({ type }) => type.startsWith('tool-')) ?? [];
  mustEqual('the tool calls', calls.length, of('tool-input-available').length);
  const sources = message?.parts.filter(({ type }) => type.startsWith('source-')) ?? [];
  mustEqual('the sources', sources.length, of('source-url').length + of('source-document').length);
}

const SHOWN = 2000;
const shown = (value: unknown): string => JSON.stringify(value).slice(0, SHOWN);

function mustEqual(what: string, read: unknown, sent: unknown): void {
  if (!isDeepStrictEqual(read, sent))
    throw new Error(`the AI SDK's client reads ${what} otherwise: ${shown(read)} for ${shown(sent)}`);
}
