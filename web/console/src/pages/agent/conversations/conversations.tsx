import { useState } from 'preact/hooks';
import { answerOutcomes } from '../../../../../../core/schemas/answer-outcomes.js';
import { spokenText } from '../../../../../client/spoken-text.js';
import { agentPath, ask } from '../../../api/request.js';
import type { ListedConversation } from '../../../api/types.js';
import { useList } from '../../../loading.js';
import { ConfirmButton } from '../../../parts/confirm.js';
import { When } from '../../../parts/figures.js';
import { Filter, Filters, Total } from '../../../parts/filter.js';
import { Empty } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { Outcome, outcomeLabels } from '../../../parts/outcome.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { to } from '../../../router.js';
import { Rating } from '../../ask/feedback.js';
import { channelNames, titleOf } from './names.js';

const filters = [
  {
    name: 'outcome',
    label: 'Outcome',
    any: 'Any outcome',
    choices: answerOutcomes.map((value) => [value, outcomeLabels[value]] as const),
  },
  {
    name: 'feedback',
    label: 'Feedback',
    any: 'Any feedback',
    choices: [
      ['negative', 'Bad answer'],
      ['positive', 'Good answer'],
    ],
  },
  {
    name: 'source',
    label: 'Channel',
    any: 'All channels',
    choices: Object.entries(channelNames),
  },
] as const;

/** Conversations of the agent, newest first. */
export function Conversations({ agentId }: { agentId: string }) {
  const [query, setQuery] = useState<Record<string, string>>({});
  const [typed, setTyped] = useState('');
  const list = useList<ListedConversation>(agentPath(agentId, 'conversations'), {
    ...query,
    include: 'summary',
  });
  const { items, reload } = list;
  const set = (name: string, value: string) => setQuery({ ...query, [name]: value });
  const isFiltered = Object.values(query).some((value) => value !== '');
  return (
    <section>
      <div class="find">
        <form
          class="find-form"
          onSubmit={(event) => {
            event.preventDefault();
            set('q', typed.trim());
          }}
        >
          <input
            type="search"
            aria-label="Search the messages"
            placeholder="Search the messages"
            maxLength={200}
            value={typed}
            onInput={({ currentTarget: { value } }) => {
              setTyped(value);
              if (value === '') set('q', '');
            }}
          />
          <button type="submit">Search</button>
        </form>
        <Filters set={Object.entries(query).filter(([name, value]) => name !== 'q' && value !== '').length}>
          {filters.map(({ name, label, any, choices }) => (
            <Filter
              key={name}
              label={label}
              any={any}
              choices={choices}
              value={query[name] ?? ''}
              onChange={(value) => set(name, value)}
            />
          ))}
          <label class="since">
            Since
            <input
              type="date"
              onChange={({ currentTarget: { valueAsNumber } }) =>
                set('startDate', Number.isNaN(valueAsNumber) ? '' : String(valueAsNumber / 1000))
              }
            />
          </label>
        </Filters>
        <Total list={list} what="conversation" />
      </div>
      {items && items.length > 0 && <Permitted needs="conversations.delete" what="deleting conversations" />}
      <Rows
        list={list}
        empty={
          isFiltered ? (
            <Empty title="No conversation matches." />
          ) : (
            <Empty title="No conversations yet.">
              <p>
                <a href={to('agents', agentId, 'ask')}>Ask the agent</a> to start one, or{' '}
                <a href={to('agents', agentId, 'widget')}>put it on a web page</a>.
              </p>
            </Empty>
          )
        }
      >
        {(conversation) => (
          <li key={conversation.id}>
            <div>
              <a href={to('agents', agentId, 'conversations', conversation.id)}>{titleOf(conversation)}</a>
              <p class="small one-line">{spokenText(conversation.lastMessage?.text ?? '')}</p>
              <p class="muted small">
                {channelNames[conversation.source]} · {several(conversation.messageCount, 'message')} ·{' '}
                <When seconds={conversation.updatedAt} />
                {conversation.userId && ` · ${conversation.userId}`}
              </p>
            </div>
            <div class="row-actions">
              <Rating feedback={conversation.feedback ?? null} />
              {conversation.outcome && <Outcome outcome={conversation.outcome} />}
              {may('conversations.delete') && (
                <ConfirmButton
                  label="Delete"
                  name={`Delete ${titleOf(conversation)}`}
                  class="quiet"
                  title="Delete this conversation?"
                  verb="Delete conversation"
                  work={() => ask(agentPath(agentId, 'conversations', conversation.id), { method: 'DELETE' })}
                  done="The conversation was deleted."
                  onDone={reload}
                >
                  <p>“{titleOf(conversation)}” and its messages are deleted for good.</p>
                </ConfirmButton>
              )}
            </div>
          </li>
        )}
      </Rows>
    </section>
  );
}
