import { visitorLanguage } from '../../chat/visitor-language.js';
import type { Sweep } from '../../jobs/sweeper.js';
import { builtInMessages } from '../../locales/built-in-messages.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { Log } from '../../ports/log.port.js';
import type { AgentReads } from '../../ports/store/agents/agent-reads.js';
import type { ConversationRow, Handover } from '../../ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type Conversations,
  type ConversationTurn,
} from '../../ports/store/conversations/conversations.js';
import { storeAgentMessage } from '../messages.js';
import { textOf } from '../script-writer.js';
import type { HandoverChannel } from './handover-channel.js';
import { changeHandover } from './positions.js';
import { answeredByAgent, handoverAt } from './state.js';
import { changeState } from './transitions.js';

/** After this time without an answer, a conversation waits for another person. */
const UNANSWERED_S = 1800;
/** Without any message for this time, the agent answers again. */
const SILENT_S = 86_400;
const EVERY_MS = 5000;
const FORGET_MS = 60_000;
/** Readers are kept for a while after their inbox was closed. */
const KEEP_READERS_S = 3600;
const BATCH = 100;

interface HandoverSweepsOptions {
  store: Pick<Conversations, 'inbox' | 'turns'>;
  reads: Pick<AgentReads, 'agentWithSettings'>;
  /** Returns the part of a take-over that concerns the platform; null for the widget. */
  channelOf: (conversation: ConversationRow) => HandoverChannel | null;
  clock: Clock;
  log: Log;
}

/** Returns the sweeps that give conversations back whose person is gone. */
export function handoverSweeps({ store, reads, channelOf, clock, log }: HandoverSweepsOptions): Sweep[] {
  const { turns, inbox } = store;

  /** Returns our sentence, in the language of the agent, else of the visitor's last message. */
  async function sentenceFor(turn: ConversationTurn): Promise<string> {
    const { workspaceId, agentId } = turn.conversation;
    const agent = await reads.agentWithSettings(workspaceId, agentId);
    const language = agent?.settings.language;
    if (typeof language === 'string') return builtInMessages(language).noPerson;
    const last = await turn.messages.newest('user');
    return builtInMessages(visitorLanguage(last ? textOf(last.script) : '', [])).noPerson;
  }

  /** Changes the state if `nextOf` still returns one, and tells the visitor. */
  async function giveBack(
    conversationId: string,
    nextOf: (handover: Handover, nowMs: number, conversation: ConversationRow) => Handover | null,
  ): Promise<void> {
    await turns.run(conversationId, async (turn) => {
      const nowMs = clock.now();
      const { handover } = turn.conversation;
      const before = handover && handoverAt(handover, nowMs);
      const next = before && nextOf(before, nowMs, turn.conversation);
      if (!before || !next) return;
      const text = await sentenceFor(turn);
      const id = await storeAgentMessage(turn, text, nowMs);
      await channelOf(turn.conversation)?.say(turn, { id, text }, nowMs);
      changeState(turn, { before, next, end: 'timeout' }, nowMs);
    });
  }

  const each = async (ids: readonly string[], work: (id: string) => Promise<void>): Promise<boolean> => {
    let failed = 0;
    for (const id of ids)
      await work(id).catch((err: unknown) => {
        if (err instanceof ConversationGone) return;
        failed++;
        log.warn({ err, conversationId: id }, 'a conversation could not be given back; it will be retried');
      });
    return ids.length === BATCH && failed === 0;
  };

  /** Waits for another person. */
  const requestedAgain = (
    { waitingSince, reason }: Handover,
    { updatedAt }: ConversationRow,
    nowMs: number,
  ): Handover => ({
    ...answeredByAgent(seconds(nowMs)),
    state: 'requested',
    waitingSince: waitingSince ?? updatedAt,
    reason,
  });

  return [
    {
      // Until then, each reader derives the end of a pause from its time.
      name: 'ended-pauses',
      everyMs: EVERY_MS,
      run: async () =>
        each(await inbox.sweeps.endedPauses(clock.now(), BATCH), (id) =>
          turns.run(id, async (turn) => {
            const { handover } = turn.conversation;
            const now = handover && handoverAt(handover, clock.now());
            if (now && now !== handover) changeHandover(turn, now);
          }),
        ),
    },
    {
      name: 'unanswered-visitors',
      everyMs: EVERY_MS,
      async run() {
        const before = seconds(clock.now()) - UNANSWERED_S;
        return each(await inbox.sweeps.unanswered(before, BATCH), (id) =>
          giveBack(id, (handover, nowMs, conversation) => {
            const { state, stateSince, assignee, waitingSince } = handover;
            // A person has this time even if the visitor has waited for longer before.
            const isLate = waitingSince !== null && Math.max(waitingSince, stateSince) <= before;
            const isHeld = state === 'human' && assignee !== null;
            return isHeld && isLate ? requestedAgain(handover, conversation, nowMs) : null;
          }),
        );
      },
    },
    {
      name: 'assignees',
      everyMs: EVERY_MS,
      async run() {
        const found = new Map(
          (await inbox.sweeps.withoutAssignee(BATCH)).map(({ id, assigneeId }) => [id, assigneeId]),
        );
        return each([...found.keys()], (id) =>
          giveBack(id, (handover, nowMs, conversation) =>
            handover.state === 'human' && handover.assignee?.id === found.get(id)
              ? requestedAgain(handover, conversation, nowMs)
              : null,
          ),
        );
      },
    },
    {
      name: 'silent-handovers',
      everyMs: EVERY_MS,
      async run() {
        const before = seconds(clock.now()) - SILENT_S;
        return each(await inbox.sweeps.silent(before, BATCH), (id) =>
          giveBack(id, ({ state }, nowMs, { updatedAt }) =>
            ['requested', 'human'].includes(state) && updatedAt <= before
              ? answeredByAgent(seconds(nowMs))
              : null,
          ),
        );
      },
    },
    {
      name: 'inbox-readers',
      everyMs: FORGET_MS,
      async run() {
        await inbox.readers.forget(seconds(clock.now()) - KEEP_READERS_S);
        return false;
      },
    },
  ];
}
