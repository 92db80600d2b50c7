import type { Message } from './chat.js';

/** An event of a conversation, with its id. */
export interface ReceivedEvent {
  id: string | null;
  type: string;
  message?: Message;
  state?: string;
  person?: { name: string } | null;
  from?: string;
  /** Of events of the inbox. */
  conversationId?: string;
  agentId?: string;
}

export interface Following {
  status: number;
  events: ReceivedEvent[];
  /** Resolves when the server ends the stream, or after `cut`. */
  over: Promise<void>;
  cut(): void;
}

/** Follows a stream of events, such as `GET …/conversations/{id}/events`. */
export async function followEvents(
  baseUrl: string,
  path: string,
  { token, lastEventId }: { token: string; lastEventId?: string | null },
): Promise<Following> {
  const connection = new AbortController();
  const response = await fetch(`${baseUrl}/api/v2${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId == null ? {} : { 'last-event-id': lastEventId }),
    },
    signal: connection.signal,
  });
  const events: ReceivedEvent[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const id = /^id: (.*)$/m.exec(frame)?.[1] ?? null;
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) events.push({ id, ...JSON.parse(data) });
      }
    }
  };
  return { status: response.status, events, over: read().catch(() => {}), cut: () => connection.abort() };
}
