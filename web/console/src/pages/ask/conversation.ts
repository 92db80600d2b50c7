import { useEffect, useRef, useState } from 'preact/hooks';
import { limits } from '../../../../../core/schemas/limits.js';
import {
  type AnswerEvent,
  applyEvent,
  asked,
  emptyAnswer,
  type Shown,
  textOf,
} from '../../../../client/answer-events.js';
import { spokenText } from '../../../../client/spoken-text.js';
import { postedAnswer, runningAnswer } from '../../api/answer-stream.js';
import { asFailure, type Failure, SelfExplained } from '../../api/failure.js';
import { agentPath, ask } from '../../api/request.js';
import type { ConversationDetail, Message, Page } from '../../api/types.js';
import { announce } from '../../parts/announce.js';
import { replace } from '../../router.js';

export interface ConversationState {
  messages: Shown[];
  isAnswering: boolean;
  failure: Failure | null;
  say: (text: string) => void;
  again: (message: Shown) => void;
  stop: () => void;
  change: (message: Shown) => void;
  /** Adds messages that another request has stored in this conversation. */
  append: (...messages: Shown[]) => void;
  /** Loads earlier messages; null if there are none. */
  earlier: (() => void) | null;
}

/** The state of a conversation with its messages and the running answer. */
export function useConversation(
  agentId: string,
  conversationId: string | null,
  isDrafted: boolean,
): ConversationState {
  const [messages, setMessages] = useState<Shown[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [isAnswering, setAnswering] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Id of the conversation to which `messages` belong. */
  const current = useRef<string | null>(null);
  const under = useRef<AbortController | null>(null);

  useEffect(() => {
    if (current.current === conversationId) return;
    under.current?.abort();
    const gone = new AbortController();
    current.current = conversationId;
    setAnswering(false);
    setMessages([]);
    setCursor(null);
    setFailure(null);
    if (conversationId === null) return;
    ask<ConversationDetail>(agentPath(agentId, 'conversations', conversationId), {
      signal: gone.signal,
    }).then(
      ({ messages: said, pagination }) => {
        setMessages(said);
        setCursor(pagination.cursor);
        const last = said.at(-1);
        // The page was opened while an answer was being written: follow it.
        if (last?.status === 'generating')
          void answer((signal) => runningAnswer(agentId, conversationId, signal), {
            before: said.slice(0, -1),
            restore: said,
            first: { ...last, parts: [] },
          });
      },
      (thrown: unknown) => {
        if (!gone.signal.aborted) setFailure(asFailure(thrown));
      },
    );
    return () => gone.abort();
  }, [agentId, conversationId]);
  useEffect(() => () => under.current?.abort(), []);

  const conversation = (...parts: string[]) =>
    agentPath(agentId, 'conversations', current.current ?? '', ...parts);
  const answerTo = (path: string, body: object, before: Shown[], restore: Shown[]) =>
    void answer((signal) => postedAnswer(agentId, path, { body, signal }), {
      before,
      restore,
      first: emptyAnswer(),
    });

  /**
   * Shows `before` and, below it, the answer as it grows, starting with `first`. Shows `restore` if no answer arrived.
   */
  async function answer(
    events: (signal: AbortSignal) => AsyncGenerator<AnswerEvent>,
    { before, restore, first }: { before: Shown[]; restore: Shown[]; first: Shown },
  ): Promise<void> {
    const gone = new AbortController();
    under.current = gone;
    setAnswering(true);
    setFailure(null);
    let growing = first;
    setMessages([...before, growing]);
    try {
      for await (const event of events(gone.signal)) {
        growing = applyEvent(growing, event);
        const { conversationId: at, userMessageId } = growing.metadata;
        if (event.type === 'start' && at) {
          current.current = at;
          replace('agents', agentId, 'ask', at);
        }
        const last = before.at(-1);
        const said =
          last?.id === null ? [...before.slice(0, -1), { ...last, id: userMessageId ?? null }] : before;
        setMessages([...said, growing]);
      }
      if (growing.status === 'generating' && growing.id !== null)
        growing = await ask<Message>(conversation('messages', growing.id), { signal: gone.signal });
      setMessages((all) => [...all.slice(0, -1), growing]);
      if (textOf(growing) === '' && growing.errorText !== undefined)
        throw new SelfExplained(growing.errorText);
      announce(`The agent answers: ${spokenText(textOf(growing))}`);
    } catch (thrown) {
      if (gone.signal.aborted) return;
      if (textOf(growing) === '') setMessages(restore);
      setFailure(asFailure(thrown));
    } finally {
      if (!gone.signal.aborted) setAnswering(false);
    }
  }

  return {
    messages,
    isAnswering,
    failure,
    say(message) {
      const before = [...messages, asked(message)];
      if (isDrafted) {
        const history = messages
          .map((said) => ({ role: said.role, text: textOf(said) }))
          .filter(({ text }) => text !== '')
          .slice(-limits.drafts.history);
        return answerTo(agentPath(agentId, 'draft', 'chat'), { message, history }, before, before);
      }
      const known = current.current;
      const body = known === null ? { message } : { message, conversationId: known };
      answerTo(agentPath(agentId, 'chat'), body, before, before);
    },
    again({ id }) {
      const before = messages.slice(
        0,
        messages.findIndex((message) => message.id === id),
      );
      answerTo(conversation('retry'), { messageId: id }, before, messages);
    },
    stop: () =>
      current.current === null
        ? setFailure(new SelfExplained('The answer has not started yet. Try again in a moment.'))
        : void ask(conversation('stop'), { method: 'POST' }).catch((thrown) => setFailure(asFailure(thrown))),
    change: (changed) =>
      setMessages((all) => all.map((message) => (message.id === changed.id ? changed : message))),
    append: (...messages) => setMessages((all) => [...all, ...messages]),
    // Null during an answer, which would overwrite the messages loaded in the meantime.
    earlier:
      cursor && !isAnswering
        ? () => {
            const of = current.current;
            const answered = under.current;
            void ask<Page<Message>>(conversation('messages'), { query: { cursor } }).then(
              ({ data, pagination }) => {
                // An answer that started in the meantime replaces these messages. Keep the cursor, so that they can be
                // loaded again.
                if (current.current !== of || under.current !== answered) return;
                setMessages((all) => [...data, ...all]);
                setCursor(pagination.cursor);
              },
              (thrown: unknown) => setFailure(asFailure(thrown)),
            );
          }
        : null,
  };
}
