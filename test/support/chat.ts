import type { Answer, ApiClient, ErrorBody } from './api-client.js';

/** Conversations from the client's point of view. */

export interface Part {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: object;
  state?: string;
  expiresAt?: number;
  output?: unknown;
  error?: string;
}

export interface Message {
  id: string;
  role: string;
  status: string;
  createdAt: number;
  parts: Part[];
  feedback?: string | null;
  feedbackComment?: string;
  metadata: {
    conversationId: string;
    userId?: string | null;
    userMessageId?: string;
    finishReason?: string;
    model?: string;
    usage?: { credits: number; inputTokens: number | null; outputTokens: number | null };
    citations?: object[];
    outcome?: string;
    sources?: { documentId: string; title: string; url: string | null }[];
    error?: { code: string; message: string };
    rateLimited?: { retryAfterSeconds: number };
    author?: { type: string; name: string };
    handledBy?: string;
    offer?: boolean;
  };
}

export interface Conversation {
  id: string;
  title: string | null;
  source: string;
  status: string;
  userId: string | null;
  messageCount: number;
  createdAt: number;
  updatedAt: number;
  state?: string;
  assignee?: { type: string; id: string; name: string } | null;
  waitingSince?: number | null;
  person?: { name: string } | null;
}

export interface ConversationDetail extends Conversation {
  messages: Message[];
  pagination: { cursor: string | null; hasMore: boolean; total: number };
}

/** An agent and its conversations. */
export interface Chat {
  agentId: string;
  at(path: string): string;
  /** Not streamed. */
  ask(body: object, headers?: Record<string, string>): Promise<Answer<Message>>;
  /** Returns the answer; rejects on failure. */
  say(message: string, more?: object): Promise<Message>;
  conversation(id: string): Promise<ConversationDetail>;
}

export async function chatWith(api: ApiClient, settings: { [group: string]: object } = {}): Promise<Chat> {
  const { id: agentId } = await api.agent();
  for (const [group, patch] of Object.entries(settings)) {
    const { status, text } = await api.patch(`/agents/${agentId}/settings/${group}`, patch);
    if (status !== 200) throw new Error(text);
  }
  const at = (path: string) => `/agents/${agentId}${path}`;
  const ask: Chat['ask'] = (body, headers) =>
    api.post<Message>(at('/chat'), { stream: false, ...body }, headers ? { headers } : {});
  return {
    agentId,
    at,
    ask,
    async say(message, more = {}) {
      const { status, text, body } = await ask({ message, ...more });
      if (status !== 200) throw new Error(text);
      return body;
    },
    async conversation(id) {
      const { status, text, body } = await api.get<ConversationDetail>(at(`/conversations/${id}`));
      if (status !== 200) throw new Error(text);
      return body;
    },
  };
}

export const textOf = ({ parts }: Message): string => parts.map(({ text = '' }) => text).join('');
export const codeOf = ({ body }: Answer<unknown>): string | undefined => (body as ErrorBody).error?.code;
