import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import type { ExportedConversation, Page } from '../../../api/types.js';
import { useLoaded } from '../../../loading.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { When } from '../../../parts/figures.js';
import { Heading } from '../../../parts/heading.js';
import { Lazy } from '../../../parts/lazy.js';
import { Empty, Loading, Problem } from '../../../parts/notice.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { to } from '../../../router.js';
import { useCited } from '../../ask/cited.js';
import { Correction, questionBefore } from '../../ask/correction.js';
import { MessageView } from '../../ask/message.js';
import { channelNames, titleOf } from './names.js';

const keepMessage = () => import('../evaluations/keep-message.js').then((module) => module.KeepMessage);

interface ConversationPageProps {
  agentId: string;
  conversationId: string;
}

/** A conversation of any channel. Answers can be corrected. */
export function ConversationPage({ agentId, conversationId }: ConversationPageProps) {
  // The export also contains conversations of visitors.
  const path = agentPath(agentId, 'conversations', 'export');
  const { data, failure, reload } = useLoaded(
    (signal) => ask<Page<ExportedConversation>>(path, { query: { conversationId }, signal }),
    [path, conversationId],
  );
  const conversation = data?.data[0];
  return (
    <section>
      <Problem failure={failure} retry={reload} />
      {!data && !failure && <Loading />}
      {data && !conversation && <Empty title="This conversation was deleted." />}
      {conversation && <Shown agentId={agentId} conversation={conversation} onChange={reload} />}
    </section>
  );
}

interface ShownProps {
  agentId: string;
  conversation: ExportedConversation;
  onChange: () => void;
}

function Shown({ agentId, conversation, onChange }: ShownProps) {
  const { id, source, userId, updatedAt, messages = [], truncated } = conversation;
  const { cited, cite } = useCited(agentId);
  const [correcting, setCorrecting] = useState<string | null>(null);
  const [keeping, setKeeping] = useState<{ question: string; messageId: string } | null>(null);
  return (
    <div class={`ask ${cited ? 'with-source' : ''}`}>
      <div class="talk">
        <Heading title={titleOf(conversation)}>
          {source === 'api' ? (
            <a class="button" href={to('agents', agentId, 'ask', id)}>
              Continue it
            </a>
          ) : (
            may('conversations.answer') && (
              <a class="button" href={to('inbox', agentId, id)}>
                Answer in the inbox
              </a>
            )
          )}
        </Heading>
        <p class="muted small secret-line">
          <span>
            {channelNames[source]} · <When seconds={updatedAt} />
            {userId && ` · ${userId}`}
          </span>
          <CopyButton text={id} what="conversation id" />
        </p>
        {truncated && <p class="notice">Only the newest messages are shown.</p>}
        <ol class="messages">
          {messages.map((message, index) => (
            <MessageView
              key={message.id}
              agentId={agentId}
              message={message}
              asker={source === 'api' ? 'You' : 'Visitor'}
              // Only answers of the agent name a user message. Others were written by people.
              isByOthers={source === 'social' && message.metadata.userMessageId === undefined}
              onRetry={null}
              question={questionBefore(messages, index)}
              onCorrect={may('questions.answer') ? setCorrecting : null}
              onKeep={
                may('edit') ? (question) => setKeeping({ question, messageId: message.id ?? '' }) : null
              }
              onCite={cite}
              onGiven={source === 'api' ? onChange : null}
            />
          ))}
        </ol>
        <Permitted needs="questions.answer" what="correcting answers" />
      </div>
      {correcting !== null && (
        <Correction agentId={agentId} question={correcting} onClose={() => setCorrecting(null)} />
      )}
      {keeping && (
        <Lazy
          load={keepMessage}
          props={{ agentId, conversationId: id, ...keeping, onClose: () => setKeeping(null) }}
        />
      )}
      {cited}
    </div>
  );
}
