import type { Test } from 'tap';
import { type ApiClient, apiClient } from './api-client.js';
import { type Chat, chatWith } from './chat.js';
import { type OpenStream, openStream } from './event-stream.js';
import { type ScriptedAnswerer, scriptedAnswerer } from './scripted-answerer.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';

/** A service with scripted answers, and one agent with its streams. */
export interface StreamingChat {
  service: TestService;
  apiKey: string;
  api: ApiClient;
  chat: Chat;
  answerer: ScriptedAnswerer;
  /** Opens a stream of this agent, in this process or the one beside it. */
  open(
    path: string,
    options?: { body?: object; headers?: Record<string, string>; on?: TestService },
  ): Promise<OpenStream>;
  /** Sends a message with a streamed answer. */
  ask(body: object): Promise<OpenStream>;
}

export async function streamingChat(
  t: Test,
  options: Partial<TestServiceOptions> = {},
  settings: Parameters<typeof chatWith>[1] = {},
): Promise<StreamingChat> {
  const answerer = scriptedAnswerer();
  const service = await startTestService(t, { answerer, ...options });
  const { apiKey } = await service.workspace();
  const api = apiClient(service.baseUrl, apiKey);
  const chat = await chatWith(api, settings);
  const open: StreamingChat['open'] = (path, { body, headers = {}, on = service } = {}) =>
    openStream({
      baseUrl: on.baseUrl,
      apiKey,
      path: chat.at(path),
      headers,
      ...(body ? { method: 'POST', body } : {}),
    });
  return { service, apiKey, api, chat, answerer, open, ask: (body) => open('/chat', { body }) };
}

export const conversationOf = ({ events }: OpenStream): string =>
  (events[0]?.messageMetadata as { conversationId?: string } | undefined)?.conversationId ?? '';

export const messageOf = ({ events }: OpenStream): string => String(events[0]?.messageId);
