import { isDeepStrictEqual } from 'node:util';
import type { UIMessage, UIMessageChunk } from 'ai';
import type { StreamEvent } from './event-stream.js';

/* The AI SDK's own client reads what we stream: its transport checks every event, its reader makes the message of them. */

export interface ReadByClient {
  chunks: UIMessageChunk[];
  /** As a user interface would show it in the end; undefined when there was nothing to show. */
  message: UIMessage | undefined;
  /** What `onError` heard, as text. */
  errors: string[];
}

/** What its reader makes of a stream that its transport gave. `see` gets each state of the message. */
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

/** A whole stream as its transport takes it from the network. */
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

/** Rejects when the client reads anything else out of a stream than what its events say. */
export async function mustBeReadByClient(raw: string, events: readonly StreamEvent[]): Promise<void> {
  const expected = events.map(({ at: _, ...event }) => event);
  const [start] = events;
  if (start?.type !== 'start') {
    // The rest of a stream: without what came before, there are events, and no message.
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
