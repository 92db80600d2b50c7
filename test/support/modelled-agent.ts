import type { Test } from 'tap';
import { openAiCompatible } from '../../adapters/openai-compatible/index.js';
import { type ApiClient, apiClient, body } from './api-client.js';
import { type Chat, chatWith } from './chat.js';
import { type FakeProvider, startFakeProvider } from './fake-provider.js';
import { modelOptions, pluginContext } from './models.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';

/** An agent with a page's text, whose answers come from a fake provider over a socket. */
export interface ModelledAgent {
  service: TestService;
  provider: FakeProvider;
  apiKey: string;
  api: ApiClient;
  chat: Chat;
  documentId: string;
  /** Creates a key of the workspace. */
  key(limits: object): Promise<string>;
}

export const RESET = 'To reset the device, hold the power button for ten seconds.';

export async function modelledAgent(
  t: Test,
  options: Partial<TestServiceOptions> = {},
  settings: Parameters<typeof chatWith>[1] = {},
): Promise<ModelledAgent> {
  const provider = await startFakeProvider();
  const { port, stop } = await openAiCompatible.start({
    ...pluginContext,
    // A silent call ends only when it is aborted.
    options: modelOptions(
      { main: provider.baseUrl },
      { timeouts: { firstByteMs: 300_000, idleMs: 300_000 } },
    ),
  });
  t.teardown(async () => {
    await stop({ deadlineMs: 1000 });
    await provider.close();
  });
  const service = await startTestService(t, { model: port, ...options });
  const { apiKey } = await service.workspace();
  const api = apiClient(service.baseUrl, apiKey);
  const chat = await chatWith(api, settings);
  const { documentId } = await body(
    api.post<{ documentId: string }>(chat.at('/sources/text'), { title: 'Reset', content: RESET }),
  );
  const key = async (limits: object) =>
    (await body(api.post<{ secret: string }>('/keys', { name: 'k', scope: 'full', ...limits }))).secret;
  return { service, provider, apiKey, api, chat, documentId, key };
}
