import type { Test } from 'tap';
import { body } from './api-client.js';
import type { Message } from './chat.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';
import { visitorOf } from './visitors.js';

export const noCache = { settings: { auth: { cacheTtlSeconds: 0 } } };
const FACT = 'To reset the device, hold the power button for ten seconds.';

/** An agent that knows one text, its owner, and a way to make visitors. */
export async function visited(t: Test, options: TestServiceOptions = {}) {
  const service = await startTestService(t, { ...noCache, ...options });
  const { apiKey } = await service.workspace();
  return { service, apiKey, ...(await visitedAgent(service, apiKey)) };
}

/** As `visited`, in the workspace of this key. */
export async function visitedAgent(service: TestService, apiKey: string) {
  const owner = service.api(apiKey);
  const { id: agentId } = await owner.agent();
  await body(owner.post(`/agents/${agentId}/sources/text`, { title: 'Reset', content: FACT }));
  const at = (path: string) => `/agents/${agentId}${path}`;
  const visitor = async (sent: object = {}) => {
    const known = await visitorOf(service, agentId, sent);
    const api = service.api(known.token);
    const ask = (message: string, more: object = {}, headers: Record<string, string> = {}) =>
      api.post<Message>(at('/chat'), { message, stream: false, ...more }, { headers });
    return { ...known, api, ask, say: (message: string, more = {}) => body(ask(message, more)) };
  };
  return { owner, agentId, at, visitor };
}
