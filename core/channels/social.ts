import type { Agents } from '../actors/agent/agents.js';
import type { Conversations } from '../conversations/conversations.js';
import type { Availability } from '../conversations/handover/availability.js';
import { within } from '../fairness/time-limit.js';
import type { Sweep } from '../jobs/sweeper.js';
import type { WorkRounds } from '../jobs/work-rounds.js';
import type { Channel } from '../ports/channel.port.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import type { ChannelFlow, OutgoingStatus } from '../ports/store/channels/channel-flow.js';
import type { Channels, ConnectionRow } from '../ports/store/channels/channels.js';
import type { Conversations as ConversationStore } from '../ports/store/conversations/conversations.js';
import type { Workspace, Workspaces } from '../ports/store/workspaces.js';
import type { Keyring } from '../secrets/keyring.js';
import type { DayCounts } from '../visitors/day-counts.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { createAccountAccess } from './account-access.js';
import { createCommentRounds } from './comment-rounds.js';
import { type Connections, createConnections } from './connections.js';
import { createEchoRounds } from './echo-rounds.js';
import { createEventReceiver, type EventReceiver } from './event-receiver.js';
import { createEventRounds } from './event-rounds.js';
import { createMessageRounds } from './message-rounds.js';
import { createPersonConversations } from './person-conversation.js';
import { createProfileSync, type ProfileSync } from './profile-sync.js';
import { createSending } from './sending.js';
import { createSentMessages } from './sent-messages.js';
import { createTakeOver, type TakeOver } from './take-over.js';

export interface SocialSettings {
  maxPending: number;
  gatherMs: number;
  humanPauseSeconds: number;
}

/** The social channel of all agents. */
export interface Social {
  channel: Pick<Channel, 'isConfigured' | 'verify' | 'isSigned' | 'parse'>;
  /** Returns the connection of an agent; null if the agent is not connected, or if no platform is configured. */
  connection(agentId: string): Promise<ConnectionRow | null>;
  connections: Connections;
  profiles: ProfileSync;
  receiver: EventReceiver;
  takeOver: TakeOver;
  sweeps: Sweep[];
  /** Stops claiming work, and waits some seconds for the work in progress. */
  stop(): Promise<void>;
}

type EventOutcome = Parameters<Parameters<typeof createEventReceiver>[0]['onEvents']>[0];

export interface SocialMetrics {
  events(outcome: EventOutcome, count: number): void;
  delivery(status: OutgoingStatus): void;
}

interface SocialOptions {
  settings: SocialSettings;
  channel: Channel;
  channels: Channels;
  flow: ChannelFlow;
  agents: Agents;
  conversations: Pick<Conversations, 'startAnswer'>;
  dayCounts: DayCounts;
  availability: Pick<Availability, 'accepts'>;
  store: ConversationStore;
  reads: AgentReads;
  workspaces: Pick<Workspaces, 'find'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  keyring: Keyring;
  clock: Clock;
  metrics: SocialMetrics;
  log: Log;
}

const ROUND_MS = 1000;
const FORGET_MS = 30_000;
const STOP_MS = 3000;
const DAY_S = 86_400;
const BATCH = 100;
const MOST_AUTOMATIONS = 100;
/** How long ended rows are kept. Events are kept for longer than the platform repeats them. */
const KEEP_DAYS = { events: 8, messages: 30 };
/** Age at which events of an account without an agent are ended. */
const ORPHANS_MS = 60_000;

const sweepOf = (name: string, rounds: WorkRounds): Sweep => ({
  name,
  everyMs: ROUND_MS,
  run: () => rounds.round(),
});

export function createSocial(options: SocialOptions): Social {
  const { settings, channel, channels, flow, clock, metrics } = options;
  const access = createAccountAccess(options);
  const connections = createConnections({ ...options, access });
  const profiles = createProfileSync({ ...options, access });
  const people = createPersonConversations(options);
  const sent = createSentMessages({
    ...options,
    people,
    workspaceOf: async (agentId) => (await channels.connection(agentId))?.workspaceId ?? null,
    onSent: () => metrics.delivery('sent'),
  });
  const sending = createSending({ ...options, access, sent, onEnd: metrics.delivery });
  const onQueued = (): void => sending.sends.soon();
  const takeOver = createTakeOver({ ...options, ...settings, people, onQueued });
  const liveAutomations = (agentId: string) =>
    channels.automations(agentId, { limit: MOST_AUTOMATIONS, before: null }, 'live');
  const events = createEventRounds({
    ...options,
    ...settings,
    messages: createMessageRounds({ ...options, liveAutomations, people, onQueued }),
    comments: createCommentRounds({ ...options, liveAutomations, onQueued }),
    echoes: createEchoRounds({ ...options, sent, takeOver }),
  });
  const receiver = createEventReceiver({
    ...options,
    ...settings,
    onEvents: metrics.events,
    onDue: (inMs) => events.soon(inMs),
  });

  const ownSweeps: Sweep[] = [
    sweepOf('channel-events', events),
    sweepOf('channel-messages', sending.sends),
    sweepOf('channel-unclear', sending.unclear),
    {
      name: 'channel-leftovers',
      everyMs: FORGET_MS,
      async run() {
        const nowMs = clock.now();
        const now = seconds(nowMs);
        await flow.endOrphans(nowMs - ORPHANS_MS, now);
        const before = {
          events: now - KEEP_DAYS.events * DAY_S,
          messages: now - KEEP_DAYS.messages * DAY_S,
        };
        return (await flow.forget(before, BATCH)) >= BATCH;
      },
    },
  ];
  return {
    channel,
    async connection(agentId) {
      if (!channel.isConfigured) return null;
      const row = await channels.connection(agentId);
      return row?.status === 'disconnected' ? null : row;
    },
    connections,
    profiles,
    receiver,
    takeOver,
    sweeps: channel.isConfigured ? [...connections.sweeps, ...profiles.sweeps, ...ownSweeps] : [],
    async stop() {
      const ends = [events.stop(), sending.sends.stop(), sending.unclear.stop()];
      // Another process repeats unfinished work, as after a crash.
      await within(STOP_MS, Promise.all(ends));
    },
  };
}
