import { useEffect, useRef, useState } from 'preact/hooks';
import { limits } from '../../../../../core/schemas/limits.js';
import { textOf } from '../../../../client/answer-events.js';
import { randomKey } from '../../../../client/answer-stream.js';
import { follow } from '../../api/event-stream.js';
import { agentPath, ask, page } from '../../api/request.js';
import type { ConversationDetail, Member, Message } from '../../api/types.js';
import { useAction, useLoaded } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { When } from '../../parts/figures.js';
import { Loading, Problem } from '../../parts/notice.js';
import { caller, may } from '../../parts/permitted.js';
import { to } from '../../router.js';
import { useUnsaved } from '../../unsaved.js';
import { channelNames, titleOf } from '../agent/conversations/names.js';
import { useCited } from '../ask/cited.js';
import { Correction, questionBefore } from '../ask/correction.js';
import { MessageView } from '../ask/message.js';

type ConversationEvent =
  | { type: 'message'; message: Message }
  | { type: 'state' }
  | { type: 'typing'; from: 'visitor' | 'human' };

/** How long a sign of typing is shown, in milliseconds. */
const TYPING_MS = 5000;
/** Interval between reports of own typing, in milliseconds. */
const REPORT_MS = 3000;
const MOST_MEMBERS = 100;

interface DeskProps {
  agentId: string;
  agentName: string;
  conversationId: string;
}

/** A conversation that a person may answer: its messages as they arrive, its state, and a field to write in. */
export function Desk({ agentId, agentName, conversationId }: DeskProps) {
  const base = agentPath(agentId, 'conversations', conversationId);
  const { data, failure, reload } = useLoaded((signal) => ask<ConversationDetail>(base, { signal }), [base]);
  const [arrived, setArrived] = useState<Message[]>([]);
  const [typing, setTyping] = useState<{ from: 'visitor' | 'human' } | null>(null);
  const { cited, cite } = useCited(agentId);
  const [kept, setKept] = useState<{ question: string; answer: string } | null>(null);
  const shown = useRef<HTMLOListElement>(null);
  const typedAt = useRef(0);
  const messages = withNewer(data?.messages ?? [], arrived);
  const read = () => void ask(`${base}/read`, { method: 'POST' }).catch(() => {});
  const isLoaded = data !== null;
  useEffect(() => {
    if (!data) return;
    const gone = new AbortController();
    const listen = async () => {
      for await (const event of follow<ConversationEvent>(`${base}/events`, gone.signal, data.position)) {
        if (event?.type === 'message') {
          setArrived((all) => withNewer(all, [event.message]));
          setTyping(null);
          if (event.message.role === 'user') {
            announce('The visitor has written.');
            read();
          }
        }
        if (event?.type === 'state') reload();
        // The service reports the own typing as that of a person, too.
        if (
          event?.type === 'typing' &&
          (event.from === 'visitor' || Date.now() - typedAt.current > TYPING_MS)
        )
          setTyping({ from: event.from });
      }
    };
    void listen();
    read();
    return () => gone.abort();
  }, [base, isLoaded]);
  useEffect(() => {
    if (!typing) return;
    const timer = setTimeout(() => setTyping(null), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typing]);
  useEffect(() => shown.current?.scrollTo(0, shown.current.scrollHeight), [messages.length]);
  if (!data) return failure ? <Problem failure={failure} retry={reload} /> : <Loading />;
  return (
    <section class="desk panel" aria-label={titleOf(data)}>
      <div class="heading">
        <h2>{titleOf(data)}</h2>
        <a href={to('agents', agentId, 'conversations', conversationId)}>Details</a>
      </div>
      <p class="muted small">
        {[agentName, channelNames[data.source], data.userId].filter(Boolean).join(' · ')} · begun{' '}
        <When seconds={data.createdAt} />
      </p>
      <Controls base={base} conversation={data} onChange={reload} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol ref={shown} class="messages" tabIndex={0} aria-label="Messages">
        {messages.map((message, index) => (
          <MessageView
            key={message.id}
            agentId={agentId}
            message={message}
            asker="Visitor"
            onRetry={null}
            question={questionBefore(messages, index)}
            onCorrect={
              may('questions.answer')
                ? (question) => setKept({ question, answer: message.metadata.author ? textOf(message) : '' })
                : null
            }
            onCite={cite}
            onGiven={null}
          />
        ))}
      </ol>
      <p class="muted small typing" role="status">
        {typing &&
          (typing.from === 'visitor' ? 'The visitor is typing…' : 'Somebody of your team is typing…')}
      </p>
      {data.source === 'social' && (
        <p class="muted small">
          The person gets messages from the connected account.{' '}
          <a href={to('agents', agentId, 'social', 'deliveries')}>Messages sent</a> shows whether they
          arrived.
        </p>
      )}
      <Composer
        base={base}
        conversation={data}
        onTyping={() => {
          typedAt.current = Date.now();
        }}
        onSent={(message) => {
          setArrived((all) => withNewer(all, [message]));
          reload();
        }}
      />
      {cited}
      {kept && <Correction agentId={agentId} {...kept} onClose={() => setKept(null)} />}
    </section>
  );
}

/** Adds messages that arrived later, or replaces older states of them. */
const withNewer = (messages: readonly Message[], newer: readonly Message[]): Message[] => [
  ...new Map([...messages, ...newer].map((message) => [message.id, message])).values(),
];

interface ControlsProps {
  base: string;
  conversation: ConversationDetail;
  onChange: () => void;
}

/** The assignee, and buttons to take the conversation, hand it back, close it and assign it. */
function Controls({ base, conversation, onChange }: ControlsProps) {
  const { state, assignee = null, waitingSince } = conversation;
  const { busy, failure, run } = useAction();
  const members = useLoaded(
    async (signal) =>
      may('members.view') ? (await page<Member>('/members', { limit: MOST_MEMBERS }, signal)).data : [],
    [],
  );
  const isMine = assignee !== null && assignee.id === caller.value?.id;
  const change = (body: object) =>
    void run(() => ask(base, { method: 'PATCH', body })).then(() => onChange());
  const able = members.data?.filter(({ status, role }) => status === 'active' && role !== 'viewer') ?? [];
  return (
    <>
      <div class="actions desk-state">
        <span role="status">
          {state === 'human' &&
            (isMine ? 'You have this conversation.' : `${assignee?.name ?? 'Nobody'} has it.`)}
          {state === 'requested' && 'The visitor waits for a person'}
          {state === 'requested' && waitingSince != null && (
            <>
              {', since '}
              <When seconds={waitingSince} />
            </>
          )}
          {state === 'agent' && 'The agent answers.'}
          {state === 'closed' && 'Closed.'}
        </span>
        {!isMine && (
          <button
            type="button"
            class="primary"
            disabled={busy}
            onClick={() => change({ state: 'human', takeOver: true })}
          >
            {assignee ? `Take over from ${assignee.name}` : 'Take over'}
          </button>
        )}
        {(state === 'human' || state === 'requested') && (
          <button type="button" disabled={busy} onClick={() => change({ state: 'agent', takeOver: true })}>
            Hand back
          </button>
        )}
        {state !== 'closed' && (
          <button type="button" disabled={busy} onClick={() => change({ state: 'closed', takeOver: true })}>
            Close
          </button>
        )}
        {able.length > 0 && (
          <select
            class="filter"
            aria-label="Assign to"
            disabled={busy}
            value={assignee?.id ?? ''}
            onChange={({ currentTarget: { value } }) => change({ assigneeId: value || null, takeOver: true })}
          >
            <option value="">Nobody</option>
            {assignee && !able.some(({ id }) => id === assignee.id) && (
              <option value={assignee.id}>{assignee.name}</option>
            )}
            {able.map(({ id, name, email }) => (
              <option key={id} value={id}>
                {name ?? email}
              </option>
            ))}
          </select>
        )}
      </div>
      <Problem failure={failure ?? members.failure} />
    </>
  );
}

interface ComposerProps {
  base: string;
  conversation: ConversationDetail;
  onTyping: () => void;
  onSent: (message: Message) => void;
}

function Composer({ base, conversation: { assignee = null }, onTyping, onSent }: ComposerProps) {
  const [text, setText] = useState('');
  const { busy, failure, run } = useAction();
  /** The text being sent, with the key of its request. With the same key, a second request sends nothing. */
  const sending = useRef({ text: '', key: '' });
  const reported = useRef(0);
  useUnsaved(text.trim() !== '' && !busy);
  const isOthers = assignee !== null && assignee.id !== caller.value?.id;
  const write = () =>
    void run(async () => {
      if (text.trim() === '') return;
      if (sending.current.text !== text) sending.current = { text, key: randomKey() };
      const headers = { 'idempotency-key': sending.current.key };
      onSent(await ask<Message>(`${base}/messages`, { method: 'POST', body: { text }, headers }));
      sending.current = { text: '', key: '' };
      setText('');
    });
  const type = (value: string) => {
    setText(value);
    onTyping();
    if (Date.now() - reported.current < REPORT_MS) return;
    reported.current = Date.now();
    void ask(`${base}/typing`, { method: 'POST' }).catch(() => {});
  };
  if (isOthers) return <p class="muted">Take it over to write.</p>;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        write();
      }}
    >
      <label class="unseen" for="reply">
        Your message
      </label>
      <textarea
        id="reply"
        rows={3}
        maxLength={limits.handover.personMessage}
        placeholder="Write to the visitor. Ctrl+Enter sends."
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          write();
        }}
      />
      <button type="submit" class="primary" disabled={busy || text.trim() === ''}>
        Send
      </button>
      <Problem failure={failure} />
    </form>
  );
}
