import { useState } from 'preact/hooks';
import { type AnswerOutcome, answerOutcomes } from '../../../../core/schemas/answer-outcomes.js';
import { agentPath, ask } from '../../api/request.js';
import type { Conversation } from '../../api/types.js';
import { useList } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Confirm } from '../../parts/confirm.js';
import { When } from '../../parts/figures.js';
import { Empty, Loading, More, Problem } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { outcomeLabels } from '../../parts/outcome.js';
import { to } from '../../router.js';

/** Conversations of the agent, newest first. */
export function Conversations({ agentId }: { agentId: string }) {
  const [outcome, setOutcome] = useState<AnswerOutcome | ''>('');
  const { items, total, more, failure, reload } = useList<Conversation>(
    agentPath(agentId, 'conversations'),
    outcome ? { outcome } : {},
  );
  const [leaving, setLeaving] = useState<Conversation | null>(null);
  return (
    <section>
      <div class="heading">
        <h2>Conversations</h2>
      </div>
      <div class="find">
        <label for="conversation-outcome">With outcome</label>
        <select
          id="conversation-outcome"
          value={outcome}
          onChange={(event) => setOutcome(event.currentTarget.value as AnswerOutcome | '')}
        >
          <option value="">any</option>
          {answerOutcomes.map((name) => (
            <option key={name} value={name}>
              {outcomeLabels[name]}
            </option>
          ))}
        </select>
        <span class="muted" role="status">
          {items && several(total, 'conversation')}
        </span>
      </div>
      <Problem failure={failure} retry={reload} />
      {!items && !failure && <Loading />}
      {items?.length === 0 && outcome && <Empty title="No conversations with this outcome." />}
      {items?.length === 0 && !outcome && (
        <Empty title="No conversations yet.">
          <p>
            <a href={to('agents', agentId, 'ask')}>Ask the agent</a> to start one.
          </p>
        </Empty>
      )}
      <ul class="rows">
        {items?.map((conversation) => (
          <li key={conversation.id}>
            <div>
              {/* Conversations of other channels cannot be opened. */}
              {conversation.source === 'api' ? (
                <a href={to('agents', agentId, 'ask', conversation.id)}>{titleOf(conversation)}</a>
              ) : (
                titleOf(conversation)
              )}
              <p class="muted small">
                {several(conversation.messageCount, 'message')} · <When seconds={conversation.updatedAt} /> ·{' '}
                {conversation.status}
                {conversation.userId && ` · ${conversation.userId}`}
              </p>
            </div>
            {conversation.source === 'api' && (
              <button
                type="button"
                class="quiet"
                aria-label={`Delete ${titleOf(conversation)}`}
                onClick={() => setLeaving(conversation)}
              >
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
      <More more={more} />
      {leaving && (
        <Confirm
          title="Delete this conversation?"
          verb="Delete conversation"
          work={() => ask(agentPath(agentId, 'conversations', leaving.id), { method: 'DELETE' })}
          onClose={(done) => {
            setLeaving(null);
            if (!done) return;
            confirmDone('The conversation was deleted.');
            reload();
          }}
        >
          <p>“{titleOf(leaving)}” and its messages are deleted for good.</p>
        </Confirm>
      )}
    </section>
  );
}

const titleOf = ({ title }: Conversation): string => title ?? 'Nothing asked yet';
