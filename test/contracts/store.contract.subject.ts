import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { emptyAgent } from '../../core/actors/agent/empty-agent.js';
import type { AgentTurn } from '../../core/ports/store/agents/agent-turn.js';
import type { DocumentRow, JobRow, NewContent, TaskRow } from '../../core/ports/store/rows.js';
import type { Store } from '../../core/ports/store/store.port.js';
import type { Workspace } from '../../core/ports/store/workspaces.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';
import type { JsonObject } from '../../core/schemas/json.js';

/** Two stores on one empty database with tables, like two processes. */
export interface StoresUnderTest {
  store: Store;
  beside: Store;
  /** Closes both and removes their data. */
  stop(): Promise<void>;
}

/** Called once for each test. */
export type MakeStores = () => Promise<StoresUnderTest>;

/** Declares a test; compatible with `test` of node:test and of tap. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

export type NewJob = Omit<JobRow, 'id' | 'agentId' | 'workspaceId'>;
export type NewTask = Omit<TaskRow, 'jobId' | 'agentId'>;

/** Unix seconds. */
export const NOW = 1_800_000_000;
export const NOW_MS = NOW * 1000;

export interface Subject extends StoresUnderTest {
  /** The workspace that exists from the start. */
  workspaceId: string;
  workspace(id?: string): Promise<Workspace>;
  newWorkspace(): Promise<string>;
  newAgent(workspaceId?: string): Promise<string>;
  /** Runs one turn; returns its result. */
  turn<T>(agentId: string, work: (turn: AgentTurn) => Promise<T>): Promise<T>;
  /** An agent as read by other processes. */
  seen(agentId: string): ReturnType<Store['reads']['agent']>;
  /** Its settings. */
  settings(agentId: string): Promise<JsonObject | null>;
}

export async function withSubject(
  make: MakeStores,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  const stores = await make();
  const { store, beside } = stores;
  const newWorkspace = async (): Promise<string> => {
    const id = uuidv7();
    await store.workspaces.create({ id, name: 'w', plan: 'business', overrides: {}, createdAt: NOW });
    return id;
  };
  try {
    const workspaceId = await newWorkspace();
    await body({
      ...stores,
      workspaceId,
      newWorkspace,
      async workspace(id = workspaceId) {
        const found = await beside.workspaces.find(id);
        if (!found) throw new Error(`no workspace ${id}`);
        return found;
      },
      async newAgent(of = workspaceId) {
        const agent = agentIn(of);
        await store.turns.create(agent, () => 1000);
        return agent.id;
      },
      turn: async (agentId, work) => (await store.turns.run(agentId, null, work)).result,
      seen: (agentId) => beside.reads.agent(workspaceId, agentId),
      settings: async (agentId) =>
        (await beside.reads.agentWithSettings(workspaceId, agentId))?.settings ?? null,
    });
  } finally {
    await stores.stop();
  }
}

export const agentIn = (workspaceId: string) =>
  emptyAgent({ id: uuidv7(), workspaceId, name: 'agent', url: null, createdAt: NOW });

export const contentOf = (text: string, title = 'Title'): NewContent => contentUnder(title, indexText(text));

/** A document, by default a text snippet. */
export const documentOf = (
  { id: agentId, workspaceId }: { id: string; workspaceId: string },
  row: Partial<DocumentRow> = {},
): DocumentRow => ({
  id: uuidv7(),
  agentId,
  workspaceId,
  sourceType: 'text_snippet',
  title: 'Title',
  bytes: 10,
  url: null,
  storagePath: null,
  contentHash: 'hash',
  metadata: {},
  createdAt: NOW,
  lastCrawledAt: null,
  updatedAt: NOW,
  ...row,
});

/** An indexed page. */
export const pageOf = (agent: { id: string; workspaceId: string }, url: string): DocumentRow =>
  documentOf(agent, { sourceType: 'web_crawl', url, lastCrawledAt: NOW });

export const jobWith = (job: Partial<NewJob> = {}): NewJob => ({
  type: 'index_url',
  isRetrain: false,
  scheduled: false,
  status: 'pending',
  tasksCount: 1,
  tasksEnded: 0,
  tasksFailed: 0,
  tasksToCome: 0,
  openedUpTo: null,
  retryOf: null,
  cancelledAt: null,
  requestId: null,
  traceparent: null,
  createdAt: NOW,
  startedAt: null,
  finishedAt: null,
  ...job,
});

/** A task that fetches a page, by default a unique one. */
export function taskWith(task: Partial<NewTask> = {}): NewTask {
  const target = task.target ?? `https://site.example/${randomUUID()}`;
  return {
    id: uuidv7(),
    type: 'crawl_page',
    target,
    payload: { url: target },
    documentId: null,
    isRetrain: false,
    status: 'pending',
    attempts: 0,
    dueAtMs: NOW_MS,
    leaseUntilMs: null,
    published: false,
    error: null,
    progress: null,
    ...task,
  };
}

export const filePath = (agentId: string, name: string): string => `agents/${agentId}/${name}`;

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
