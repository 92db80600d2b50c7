import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';

/* The page: the client of the AI SDK, without a framework. It talks to Cadre with a token of its user. */

const agentUrl = document.body.dataset.agentUrl ?? '';
const messages = document.querySelector('#messages') as HTMLElement;
const form = document.querySelector('form') as HTMLFormElement;

/** Seconds before its end at which a token is replaced. */
const MARGIN_S = 60;
let token = { token: '', expiresAt: 0 };

async function authorization(): Promise<Record<string, string>> {
  if (token.expiresAt - MARGIN_S < Date.now() / 1000)
    token = await (await fetch('/token', { method: 'POST' })).json();
  return { authorization: `Bearer ${token.token}` };
}

/** Kept for a reload of the page. */
const conversation = {
  get id(): string | undefined {
    return sessionStorage.getItem('conversationId') ?? undefined;
  },
  set id(id: string | undefined) {
    if (id !== undefined) sessionStorage.setItem('conversationId', id);
  },
};

const transport = new DefaultChatTransport<UIMessage<{ conversationId?: string }>>({
  api: `${agentUrl}/chat`,
  headers: authorization,
  prepareSendMessagesRequest: ({ messages, headers }) => ({
    body: { message: textOf(messages.at(-1)), conversationId: conversation.id },
    ...(headers ? { headers } : {}),
  }),
  prepareReconnectToStreamRequest: ({ id, headers }) => ({
    api: `${agentUrl}/conversations/${id}/stream`,
    ...(headers ? { headers } : {}),
  }),
});

const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Adds a message. `textContent`, because answers are no HTML. */
function show(role: string, text = ''): HTMLElement {
  const element = document.createElement('p');
  element.dataset.role = role;
  element.textContent = text;
  messages.append(element);
  return element;
}

/** Shows an answer while it is written. */
async function read(stream: ReadableStream<UIMessageChunk>): Promise<void> {
  const element = show('assistant');
  for await (const message of readUIMessageStream<UIMessage<{ conversationId?: string }>>({ stream })) {
    element.textContent = textOf(message);
    conversation.id = message.metadata?.conversationId;
  }
}

async function send(text: string): Promise<void> {
  show('user', text);
  const sent: UIMessage = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  const asked = { chatId: conversation.id ?? 'new', messageId: undefined, messages: [sent as never] };
  await read(await transport.sendMessages({ ...asked, trigger: 'submit-message', abortSignal: undefined }));
}

/** After a reload: the messages so far, and the rest of an answer in progress. */
async function restore(id: string): Promise<void> {
  const headers = await authorization();
  const answer = await fetch(`${agentUrl}/conversations/${id}`, { headers });
  if (!answer.ok) return sessionStorage.removeItem('conversationId');
  const { messages } = (await answer.json()) as { messages: (UIMessage & { status: string })[] };
  for (const message of messages) if (message.status !== 'generating') show(message.role, textOf(message));
  const rest = await transport.reconnectToStream({ chatId: id });
  if (rest) await read(rest);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const input = form.elements.namedItem('message') as HTMLInputElement;
  const text = input.value;
  input.value = '';
  send(text).catch((error: Error) => show('error', error.message));
});
if (conversation.id !== undefined) await restore(conversation.id);
