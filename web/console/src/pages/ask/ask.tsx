import { useEffect, useRef, useState } from 'preact/hooks';
import { asked } from '../../../../client/answer-events.js';
import { Empty, More, Problem } from '../../parts/notice.js';
import { may } from '../../parts/permitted.js';
import { go, to } from '../../router.js';
import { useCited } from './cited.js';
import { useConversation } from './conversation.js';
import { Correction, questionBefore } from './correction.js';
import { MessageView } from './message.js';

interface AskProps {
  agentId: string;
  /** Null for a new conversation. */
  conversationId: string | null;
  /** True if the settings of the draft answer. Nothing is stored then. */
  isDrafted: boolean;
  /** Number of the agent's sources; null while it is loading. */
  knows: number | null;
}

/** A conversation with the agent, beside the source of the selected citation. */
export function Ask({ agentId, conversationId, isDrafted, knows }: AskProps) {
  const talk = useConversation(agentId, conversationId, isDrafted);
  const { cited, cite, clear } = useCited(agentId);
  const [correcting, setCorrecting] = useState<string | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const length = talk.messages.reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0);
  useEffect(() => {
    if (talk.isAnswering) end.current?.scrollIntoView({ block: 'nearest' });
  }, [length, talk.isAnswering]);
  useEffect(clear, [conversationId === null]);
  useEffect(() => {
    // On touch screens, focusing the input opens a keyboard that covers the page.
    if (matchMedia('(pointer: fine)').matches) input.current?.focus();
  }, []);

  const send = () => {
    const message = typed.trim();
    if (message === '' || talk.isAnswering) return;
    talk.say(message);
    setTyped('');
    input.current?.focus();
  };
  return (
    <div class={`ask ${cited ? 'with-source' : ''}`}>
      <section class="talk" aria-label="Conversation">
        {conversationId !== null && (
          <p>
            <button
              type="button"
              onClick={() => {
                go('agents', agentId, 'ask');
                input.current?.focus();
              }}
            >
              New conversation
            </button>
          </p>
        )}
        {isDrafted && (
          <p class="notice">
            You ask the draft, which visitors do not see yet. Nothing of this conversation is stored.
          </p>
        )}
        <More more={talk.earlier} />
        {talk.messages.length === 0 && !talk.failure && conversationId === null && (
          <Empty title={knows === 0 ? 'This agent knows nothing yet.' : 'Ask the agent something.'}>
            {knows === 0 ? (
              <p>
                <a href={to('agents', agentId, 'sources')}>Teach it something</a> first.
              </p>
            ) : (
              <p>It answers from its sources and cites them.</p>
            )}
          </Empty>
        )}
        <ol class="messages">
          {talk.messages.map((message, index) => (
            <MessageView
              key={`${message.id ?? index}-${message.role}`}
              agentId={agentId}
              message={message}
              onRetry={talk.isAnswering ? null : () => talk.again(message)}
              question={questionBefore(talk.messages, index)}
              onCorrect={may('questions.answer') ? setCorrecting : null}
              onCite={cite}
              onGiven={talk.change}
            />
          ))}
        </ol>
        <Problem failure={talk.failure} />
        <form
          class="composer"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <label class="unseen" for="question">
            Your question
          </label>
          <textarea
            ref={input}
            id="question"
            rows={2}
            placeholder="Ask a question"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
          {talk.isAnswering ? (
            <button type="button" onClick={talk.stop}>
              Stop
            </button>
          ) : (
            <button type="submit" class="primary" disabled={typed.trim() === ''}>
              Ask
            </button>
          )}
        </form>
        <div ref={end} />
      </section>
      {correcting !== null && (
        <Correction
          agentId={agentId}
          question={correcting}
          conversationId={conversationId}
          onAnswered={(answer) => talk.append(asked(correcting), answer)}
          onClose={() => setCorrecting(null)}
        />
      )}
      {cited}
    </div>
  );
}
