import { body } from './api-client.js';
import type { TestService } from './service.js';

export interface Hit {
  documentId: string;
  title: string;
  url: string | null;
  sourceType: string;
  start: number;
  end: number;
  text: string;
  score: number;
}

/** An agent whose sources are added and searched over HTTP. */
export async function searchedAgent(service: TestService) {
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const agent = `/agents/${id}`;
  const searchBy =
    (client: typeof api) =>
    async (query: string, more: object = {}): Promise<Hit[]> =>
      (await body(client.post<{ data: Hit[] }>(`${agent}/search`, { query, ...more }))).data;
  return {
    api,
    apiKey,
    id,
    agent,
    searchBy,
    search: searchBy(api),
    addText: async (title: string, content: string) =>
      (await body(api.post<{ documentId: string }>(`${agent}/sources/text`, { title, content }))).documentId,
    forget: (documentId: string) => api.delete(`${agent}/sources/${documentId}`),
  };
}
