import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Test } from 'tap';
import { loopbackServer } from './loopback-server.js';

export interface ReceivedMessage {
  id: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; timestamp: number; data: Record<string, unknown> };
}

/** A local receiver of webhooks. `answer` returns the status and headers of its response. */
export async function webhookReceiver(t: Test) {
  const received: ReceivedMessage[] = [];
  const receiver = {
    received,
    origin: '',
    answer: (_message: ReceivedMessage): [status: number, headers?: Record<string, string>] => [200],
    /** Accepted messages. */
    accepted: [] as ReceivedMessage[],
    ofType: (type: string) => receiver.accepted.filter(({ body }) => body.type === type),
  };
  const origin = await loopbackServer(t, async (request, response) => {
    // It has no pages and no robots.txt.
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const message = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      text,
      body: JSON.parse(text) as ReceivedMessage['body'],
    };
    received.push(message);
    const [status, headers = {}] = receiver.answer(message);
    if (status === 200) receiver.accepted.push(message);
    response.writeHead(status, headers).end(status === 200 ? 'thank you' : 'not now');
  });
  receiver.origin = origin;
  return receiver;
}

/** The signature of this message under this secret, according to Standard Webhooks. */
export function expectedSignature({ headers, text }: ReceivedMessage, secret: string): string {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
