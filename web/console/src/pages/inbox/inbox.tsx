import { useEffect, useRef, useState } from 'preact/hooks';
import { spokenText } from '../../../../client/spoken-text.js';
import { follow } from '../../api/event-stream.js';
import { ask } from '../../api/request.js';
import type { Agent, InboxItem } from '../../api/types.js';
import { useAction, useList } from '../../loading.js';
import { Crumbs } from '../../parts/crumbs.js';
import { When } from '../../parts/figures.js';
import { Filter, Filters, Total } from '../../parts/filter.js';
import { Heading } from '../../parts/heading.js';
import { Empty, Problem } from '../../parts/notice.js';
import { caller } from '../../parts/permitted.js';
import { Rows } from '../../parts/rows.js';
import { Tick } from '../../parts/tick.js';
import { path, to } from '../../router.js';
import { titleOf } from '../agent/conversations/names.js';
import { type AlertKind, alertKinds, alerts, alertUser, choose } from './alerts.js';
import { Desk } from './desk.js';

const alertNames: Record<AlertKind, string> = { notification: 'Notify me', sound: 'Play a sound' };

/** Conversations that people answer, or may answer, beside the open one. */
export function Inbox() {
  const [, agentId, conversationId] = path.value;
  const [filter, setFilter] = useState({ assignee: '', state: '' });
  const list = useList<InboxItem>('/inbox', filter);
  const agents = useList<Agent>('/agents', { limit: '100' }, true);
  const { failure, run } = useAction();
  const { items, reload } = list;
  /** Messages of visitors by conversation, as the list showed them before. */
  const known = useRef<Map<string, number> | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    const listen = async () => {
      for await (const _ of follow('/inbox/events', gone.signal)) reload();
    };
    void listen();
    return () => gone.abort();
  }, []);
  useEffect(() => {
    known.current = null;
  }, [filter]);
  useEffect(() => {
    if (!items) return;
    for (const { conversation, unread, lastMessage } of items)
      if (known.current && unread > (known.current.get(conversation.id) ?? 0))
        alertUser(titleOf(conversation), lastMessage?.text ?? '');
    known.current = new Map(items.map(({ conversation, unread }) => [conversation.id, unread]));
  }, [items]);
  const nameOf = (id: string) => agents.items?.find((agent) => agent.id === id)?.name ?? '';
  return (
    <>
      {conversationId !== undefined && <Crumbs crumbs={[['All conversations', 'inbox']]} />}
      <Heading title="Inbox">
        <Presence />
      </Heading>
      <div class="find">
        <Filters set={Object.values(filter).filter((value) => value !== '').length}>
          <Filter
            label="Assignee"
            any="Everybody’s"
            choices={[
              ['me', 'Mine'],
              ['none', 'Nobody’s'],
            ]}
            value={filter.assignee}
            onChange={(assignee) => setFilter({ ...filter, assignee })}
          />
          <Filter
            label="State"
            any="Open"
            choices={[
              ['requested', 'Waiting'],
              ['human', 'With a person'],
              ['closed', 'Closed'],
            ]}
            value={filter.state}
            onChange={(state) => setFilter({ ...filter, state })}
          />
          {alertKinds.map((kind) => (
            <Tick
              key={kind}
              checked={alerts[kind].value}
              onChange={(checked) => void run(() => choose(kind, checked))}
            >
              {alertNames[kind]}
            </Tick>
          ))}
        </Filters>
        <Total list={list} what="conversation" />
      </div>
      <Problem failure={failure} />
      <div class={conversationId === undefined ? 'inbox' : 'inbox with-open'}>
        <section class="inbox-list" aria-label="Conversations">
          <Rows
            list={list}
            empty={
              <Empty title="Nobody waits.">
                <p>
                  Visitors who ask for a person appear here. Let them ask in the settings of an agent, under A
                  person.
                </p>
              </Empty>
            }
          >
            {(item) => {
              const { conversation, state, assignee, waitingSince, unread, lastMessage } = item;
              return (
                <li key={conversation.id} class={conversation.id === conversationId ? 'open' : ''}>
                  <div>
                    <a
                      href={to('inbox', item.agentId, conversation.id)}
                      aria-current={conversation.id === conversationId ? 'page' : undefined}
                    >
                      {titleOf(conversation)}
                    </a>
                    <p class="muted small one-line">{spokenText(lastMessage?.text ?? '')}</p>
                    <p class="muted small">
                      {[nameOf(item.agentId), assignee?.name].filter(Boolean).join(' · ')}
                      {waitingSince !== null && (
                        <>
                          {' · waiting since '}
                          <When seconds={waitingSince} />
                        </>
                      )}
                    </p>
                  </div>
                  {unread > 0 ? (
                    <span class="state failed">{unread} new</span>
                  ) : (
                    <span class="state">
                      {state === 'requested' ? 'Waiting' : state === 'human' ? 'Open' : 'Closed'}
                    </span>
                  )}
                </li>
              );
            }}
          </Rows>
        </section>
        {agentId !== undefined && conversationId !== undefined && (
          <Desk
            key={conversationId}
            agentId={agentId}
            agentName={nameOf(agentId)}
            conversationId={conversationId}
          />
        )}
      </div>
    </>
  );
}

/** Whether visitors may ask for this member. API keys are always available. */
function Presence() {
  const me = caller.value;
  const { busy, failure, run } = useAction();
  if (me?.away == null) return null;
  const change = (away: boolean) =>
    run(async () => {
      caller.value = { ...me, away };
      await ask('/me', { method: 'PATCH', body: { away } });
    }).then((isDone) => {
      if (!isDone) caller.value = me;
    });
  return (
    <div>
      <Tick
        title="While this page is open and you are not away, visitors may ask for a person."
        disabled={busy}
        checked={me.away}
        onChange={(isOn) => void change(isOn)}
      >
        I am away
      </Tick>
      <Problem failure={failure} />
    </div>
  );
}
