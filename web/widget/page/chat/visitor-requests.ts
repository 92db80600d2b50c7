import { type Refusal, refusalOf } from '../refusal.js';
import type { Fetch, Visitor } from '../visitor.js';

/** Sends requests with the token of the visitor. */
export interface VisitorRequests {
  /** Path of the agent. */
  base: string;
  pathOf(conversationId: string, ...parts: string[]): string;
  /** Renews a refused token once. Rejects with a Refusal. */
  send(path: string, init?: RequestInit, fetchWith?: Fetch): Promise<Response>;
  post(path: string, body: object, more?: RequestInit, fetchWith?: Fetch): Promise<Response>;
}

export function visitorRequests(agentId: string, visitor: Visitor): VisitorRequests {
  const base = `/api/v2/agents/${agentId}`;

  async function send(
    path: string,
    init: RequestInit = {},
    fetchWith: Fetch = fetch.bind(window),
  ): Promise<Response> {
    for (let isRenewed = false; ; isRenewed = true) {
      const response = await fetchWith(path, {
        ...init,
        headers: { ...init.headers, authorization: await visitor.authorization(fetchWith) },
        credentials: 'omit',
        cache: 'no-store',
      });
      if (response.ok) return response;
      if (response.status !== 401 || isRenewed) throw (await refusalOf(response)) satisfies Refusal;
      visitor.dropToken();
    }
  }

  return {
    base,
    pathOf: (conversationId, ...parts) =>
      [base, 'conversations', conversationId, ...parts]
        .map((part, at) => (at ? encodeURIComponent(part) : part))
        .join('/'),
    send,
    post: (path, body, more = {}, fetchWith) =>
      send(
        path,
        {
          ...more,
          method: more.method ?? 'POST',
          headers: { ...more.headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        fetchWith,
      ),
  };
}
