import { DefaultChatTransport } from 'ai';

const textOf = ({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Results of tools that a message of the assistant holds, as the tool-result operation expects them. */
const resultsIn = ({ parts }) =>
  parts.flatMap(({ toolCallId, state, output, errorText }) => {
    if (state === 'output-available') return [{ toolCallId, output }];
    return state === 'output-error' ? [{ toolCallId, error: errorText }] : [];
  });

/**
 * Returns a transport for `useChat({ transport, id })` and for the AI SDK's other clients. Use it on a server, or give
 * browsers a token from `POST …/chat/tokens` instead of a key (tokens cannot use tools).
 *
 * Each answer names its conversation in `metadata.conversationId`. To continue an answer after a reload, use that id as
 * the id of the chat and call `resumeStream`, or set `resume: true`.
 */
export function cadreTransport({ url, agentId, apiKey, tools }) {
  const agentUrl = `${url}/api/v2/agents/${agentId}`;
  const headers = { authorization: `Bearer ${apiKey}` };

  async function sendResult(conversationId, result) {
    const response = await fetch(`${agentUrl}/conversations/${conversationId}/tool-result`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(result),
    });
    if (!response.ok) throw new Error((await response.json()).error.message);
  }

  return new DefaultChatTransport({
    api: `${agentUrl}/chat`,
    headers,
    // Cadre stores the conversation, so only the newest message is sent.
    async prepareSendMessagesRequest({ messages, headers }) {
      const last = messages.at(-1);
      const conversationId = messages.findLast(({ metadata }) => metadata?.conversationId)?.metadata
        .conversationId;
      if (last.role === 'user') return { headers, body: { message: textOf(last), conversationId, tools } };
      // The user interface has added results of tools. The answer continues without a new message.
      for (const result of resultsIn(last)) await sendResult(conversationId, result);
      return { headers, body: { conversationId, tools } };
    },
    prepareReconnectToStreamRequest: ({ id, headers }) => ({
      headers,
      api: `${agentUrl}/conversations/${id}/stream`,
    }),
  });
}
