import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Frame } from 'playwright-core';
import type { Conversation, ConversationDetail } from '../../support/chat.js';
import { delta, done, ends, type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { until } from '../../support/until.js';
import type { Installation } from './open-host.js';

/* Conversations of visitors with a model whose answers a test ends. */

/** A model whose answers wait for `end`. */
export async function slowModel() {
  const open: ServerResponse[] = [];
  const provider = await startFakeProvider((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta(`Answer ${open.length + 1} begins`));
    open.push(response);
  });
  return {
    provider,
    /** Ends the newest answer. */
    async end(text = ' and ends.') {
      const response = await until('a question to the model', () => open.at(-1));
      if (response.writableEnded) throw new Error('the newest answer has ended');
      response.end(delta(text) + ends('stop') + done);
      await once(response, 'finish');
    },
  };
}

export const modelConfig = ({ baseUrl }: FakeProvider) => ({
  plugins: {
    model: {
      use: 'openai-compatible',
      options: {
        providers: { main: { baseUrl } },
        models: { '*': { provider: 'main', model: 'm', contextTokens: 32_768, maxOutputTokens: 500 } },
      },
    },
  },
});

export const inputOf = (frame: Frame) => frame.getByRole('textbox', { name: 'Message' });
export const say = async (frame: Frame, text: string): Promise<void> => {
  await inputOf(frame).fill(text);
  await inputOf(frame).press('Enter');
};
export const shown = (frame: Frame, text: string) => frame.getByRole('log').getByText(text);
export const button = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true });

/** Conversations of visitors, as keys see them. */
export async function conversations({ api }: Installation, agentId: string): Promise<ConversationDetail[]> {
  const path = `/agents/${agentId}/conversations`;
  const { body } = await api.get<{ data: Conversation[] }>(`${path}?source=widget`);
  const ids = body.data.map(({ id }) => id);
  const exported = await Promise.all(
    ids.map((id) => api.get<{ data: ConversationDetail[] }>(`${path}/export?conversationId=${id}`)),
  );
  return exported.flatMap(({ body: page }) => page.data);
}

export const rolesOf = (list: ConversationDetail[]): string[][] =>
  list.map(({ messages }) => messages.map(({ role }) => role));
