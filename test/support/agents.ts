import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { openStore } from '../../adapters/sequelize/index.js';
import { type Agents, createAgents } from '../../core/actors/agent/agents.js';
import type { DomainEvent } from '../../core/actors/agent/domain-event.js';
import { emptyAgent } from '../../core/actors/agent/empty-agent.js';
import { silentLog } from '../../core/ports/log.port.js';
import type { AgentState } from '../../core/ports/store/rows.js';
import type { Store } from '../../core/ports/store/store.port.js';
import { indexText } from '../../core/retrieval/index-text.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { targetOf } from '../../core/tasks/task-ids.js';
import { type TaskEvent, type TaskMessage, WIRE_VERSION } from '../../core/tasks/wire.js';
import { createTables } from './migrated-database.js';

/** Actors over a real SQLite file or the given migrated database, a clock that the test moves, and the attempts admitted by turns. */
export interface ActorsUnderTest {
  store: Store;
  agents: Agents;
  /** Another process over the same database. */
  twin(): Agents;
  workspaceId: string;
  agentId: string;
  /** Creates another agent, by default in the same workspace; returns its id. */
  newAgent(workspaceId?: string): Promise<string>;
  /** Creates another workspace; returns its id. */
  newWorkspace(): Promise<string>;
  /** Data folder, as for the command line and the server. */
  folder: string;
  /** Admitted attempts that the test has not read yet. */
  sent: TaskMessage[];
  /** Events that become metrics. */
  happened: DomainEvent[];
  now(): number;
  pass(ms: number): void;
  state(): Promise<AgentState>;
  settings(): Promise<JsonObject | null>;
  storageBytes(): Promise<number>;
}

const limits = {
  agents: 10,
  members: 10,
  storageBytes: 10_000,
  visitorMessagesPerDay: 1000,
  visitorStorageBytes: 1_000_000,
  sitePages: 1000,
};

export async function actors(
  t: Test,
  {
    window = 2,
    windowOfAll = 1000,
    maxAttempts = 3,
    storageBytes = limits.storageBytes,
    siteDelayMs = 0,
    databaseUrl,
  }: {
    window?: number;
    windowOfAll?: number;
    maxAttempts?: number;
    storageBytes?: number;
    siteDelayMs?: number;
    databaseUrl?: string;
  } = {},
): Promise<ActorsUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-actors-'));
  const url = databaseUrl ?? `sqlite:${join(folder, 'cadre.sqlite')}`;
  if (databaseUrl === undefined) await createTables(url);
  const store = openStore({ url, poolSize: 1, statementTimeoutMs: 5000 });
  t.teardown(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let now = 1_800_000_000_000;
  const sent: TaskMessage[] = [];
  const happened: DomainEvent[] = [];
  const process = () =>
    createAgents({
      actors: {
        maxActive: 10,
        idleMs: 1000,
        mailboxCapacity: 100,
        clock: { now: () => now },
      },
      turns: store.turns,
      rules: {
        clock: { now: () => now },
        entitlementsOf: () => ({
          limits: { ...limits, storageBytes },
          features: { apiAccess: true, autoRetrain: true, videoTranscription: true, removeBranding: true },
          models: '*',
        }),
        window,
        windowOfAll,
        maxAttempts,
        backoff: { baseMs: 1000, maxMs: 10_000 },
        leaseMs: 15_000,
        openUploadBytes: 100_000,
        site: { siteDelayMs, goneAfterSeconds: 86_400 },
        random: () => 1,
      },
      dispatch: (messages) => sent.push(...messages),
      onEvent: (event) => happened.push(event),
      log: silentLog,
    });
  const newWorkspace = async (): Promise<string> => {
    const id = uuidv7();
    await store.workspaces.create({ id, name: 'test', plan: 'business', overrides: {}, createdAt: 1 });
    return id;
  };
  const workspaceId = await newWorkspace();
  const newAgent = async (ofWorkspace = workspaceId): Promise<string> => {
    const id = uuidv7();
    const state = emptyAgent({ id, workspaceId: ofWorkspace, name: 'agent', url: null, createdAt: 1 });
    await store.turns.create(state, () => limits.agents);
    return id;
  };
  const agentId = await newAgent();
  return {
    store,
    agents: process(),
    twin: process,
    workspaceId,
    agentId,
    newAgent,
    newWorkspace,
    folder,
    sent,
    happened,
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
    async state() {
      const state = await store.reads.agent(workspaceId, agentId);
      if (!state) throw new Error('the agent is gone');
      return state;
    },
    settings: async () => (await store.reads.agentWithSettings(workspaceId, agentId))?.settings ?? null,
    storageBytes: async () => (await store.workspaces.find(workspaceId))?.storageBytes ?? -1,
  };
}

/** Fields of every event of an attempt. */
export const eventBase = (message: TaskMessage) => ({
  v: WIRE_VERSION,
  taskId: message.taskId,
  jobId: message.jobId,
  agentId: message.agentId,
  attempt: message.attempt,
  target: targetOf(message),
  worker: 'test',
});

/** Events of a worker about an attempt. */
export const said = {
  started: (message: TaskMessage) => ({
    kind: 'taskStarted' as const,
    event: { ...eventBase(message), kind: 'started' as const },
  }),
  succeeded: (message: TaskMessage, text: string) => ({
    kind: 'taskSucceeded' as const,
    event: {
      ...eventBase(message),
      kind: 'succeeded' as const,
      ref: null,
      outcome: {
        kind: 'extracted' as const,
        contentHash: `hash of ${text}`,
        extraction: { title: 'Title', metadata: {}, ...indexText(text) },
      },
    },
  }),
  /** The page has the same text as the stored one. */
  unchanged: (message: TaskMessage) => {
    const contentHash = 'known' in message.payload ? message.payload.known?.contentHash : undefined;
    const outcome = {
      kind: 'unchanged' as const,
      metadata: {},
      ...(contentHash === undefined ? {} : { contentHash }),
    };
    return {
      kind: 'taskSucceeded' as const,
      event: { ...eventBase(message), kind: 'succeeded' as const, ref: null, outcome },
    };
  },
  failed: (message: TaskMessage, verdict: 'retry' | 'give-up', retryAfterMs?: number) => ({
    kind: 'taskFailed' as const,
    event: {
      ...eventBase(message),
      kind: 'failed' as const,
      failure: {
        code: 'FETCH_FAILED' as const,
        message: 'No.',
        verdict,
        ...(retryAfterMs ? { retryAfterMs } : {}),
      },
    } satisfies TaskEvent,
  }),
  dead: (message: TaskMessage) => ({
    kind: 'taskFailed' as const,
    event: { ...eventBase(message), kind: 'dead' as const, reason: 'delivered too often' },
  }),
};
