import { useEffect, useRef, useState } from 'preact/hooks';
import type { Strings } from '../strings.js';
import type { ChatService, Earlier } from './chat-service.js';

interface ConversationListProps {
  service: Pick<ChatService, 'conversations'>;
  strings: Strings;
  /** The conversation on the page. */
  current: string | null;
  onOpen(conversationId: string): void;
}

/** The visitor's conversations, newest first, in place of the messages. */
export function ConversationList({ service, strings, current, onOpen }: ConversationListProps) {
  const [listed, setListed] = useState<Earlier[] | 'failed' | null>(null);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    service.conversations().then(setListed, () => setListed('failed'));
    list.current?.focus();
  }, []);
  return (
    <section ref={list} class="history" tabIndex={-1} aria-label={strings.text('conversations')}>
      {listed === null && <p class="note">{strings.text('loading')}</p>}
      {listed === 'failed' && (
        <p class="note problem" role="alert">
          {strings.text('actionFailed')}
        </p>
      )}
      {Array.isArray(listed) && (
        <ul class="conversations">
          {listed.map(({ id, title, updatedAt }) => (
            <li key={id}>
              <button
                type="button"
                dir="auto"
                aria-current={id === current ? 'true' : undefined}
                onClick={() => onOpen(id)}
              >
                {title ?? strings.text('conversation')}
                <span class="note">{strings.ago(updatedAt)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
