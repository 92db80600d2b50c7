import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PassivationReason } from '../actors/actor-lifecycle.js';
import type { SocialMetrics } from '../channels/social.js';
import type { AnswerMetrics } from '../chat/answer-metrics.js';
import type { AnswerFigures } from '../conversations/answer-figures.js';
import { inTime } from '../fairness/time-limit.js';
import type { Health } from '../ports/health.js';
import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { ConnectionUse, Operations } from '../ports/store/operations.js';
import type { IndexSweeps } from '../ports/store/sweeps.js';
import type { Lag } from '../retrieval/feed/lag.js';
import type { FusionOutcome } from '../retrieval/vectors/fused-search.js';
import type { Outcome } from '../webhooks/attempts.js';
import { addBuildInfo } from './build-info.js';
import { createChannelMetrics } from './channel-metrics.js';
import { createConversationMetrics } from './conversation-metrics.js';
import { addDependencies } from './dependency-metrics.js';
import { describeOwn, type MetricDescription } from './describe-own.js';
import { createJobMetrics, type JobMetrics } from './job-metrics.js';
import { createMailMetrics } from './mail-metrics.js';
import { createModelMetrics } from './model-metrics.js';
import { neverThrowing } from './never-throwing.js';

/** Timeout for reading gauges from the database, in milliseconds. */
const READ_MS = 3000;

/** Functions that record a measurement. They never throw: errors are logged. */
interface Recorders {
  request(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Records a turn. `seconds` includes the time in the mailbox. */
  turn(message: string, ok: boolean, seconds: number): void;
  passivation(reason: PassivationReason): void;
  search(outcome: string, seconds: number): void;
  fusion(outcome: FusionOutcome): void;
  /** An attempt to send an e-mail. */
  mail(outcome: string): void;
  /** Records an attempt to deliver a webhook message. */
  webhook(outcome: Outcome): void;
  answer(figures: AnswerFigures): void;
}

export interface Metrics extends Recorders {
  /** Returns all metrics in the Prometheus text format. */
  print(): Promise<string>;
  contentType: string;
  jobs: Omit<JobMetrics, 'backlog'>;
  models: AnswerMetrics;
  social: SocialMetrics;
  /** Describes Cadre's own metrics, for the reference documentation. */
  describe(): MetricDescription[];
}

interface Sources {
  /** Version of Cadre. */
  version: string;
  operations: Pick<Operations, 'backlog'>;
  queue: Pick<Queue, 'depth'>;
  activeActors: () => number;
  /** Number of messages in all mailboxes of this process. */
  waitingMessages: () => number;
  /** Null if there is no connection pool. */
  connections: () => ConnectionUse | null;
  /** Unix milliseconds, by the installation's clock. */
  now: () => number;
  heldBytes: () => number;
  indexBytes: () => number;
  /** Null if the search engine is not fed with changes. */
  engineLag: () => Lag | null;
  toIndex: IndexSweeps['left'];
  /** Number of documents without vectors, of all agents; 0 without an embedding model. */
  toEmbed: () => Promise<number>;
  /** Stored bytes of conversations, of all workspaces. */
  conversationBytes: () => Promise<number>;
  mailBacklog: () => Promise<{ waiting: number; oldestDueAtMs: number | null }>;
  answersUnderWay: () => number;
  /**
   * Time at which the oldest waiting event of the social channel was received, in Unix milliseconds; null if none is
   * waiting.
   */
  oldestEventMs: () => Promise<number | null>;
  /** Time of the last backup, in Unix seconds; null if there is none. */
  lastBackupAt: () => Promise<number | null>;
  health: () => Promise<Record<string, Health>>;
  log: Log;
}

/**
 * Creates the metrics of an API process. Names follow the OpenTelemetry and Prometheus conventions. Labels contain no
 * workspace or agent ids, to limit cardinality.
 */
export function createMetrics({
  version,
  operations,
  queue,
  activeActors,
  waitingMessages,
  connections,
  now,
  heldBytes,
  indexBytes,
  engineLag,
  toIndex,
  toEmbed,
  conversationBytes,
  mailBacklog,
  answersUnderWay,
  oldestEventMs,
  lastBackupAt,
  health,
  log,
}: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const foreign = new Set(registry.getMetricsAsArray().map(({ name }) => name));

  addBuildInfo(registers, version);
  addDependencies(registers, health);
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const turns = new Counter({
    name: 'actor_turns_total',
    help: 'Turns by message and outcome',
    labelNames: ['message', 'outcome'],
    registers,
  });
  const turnSeconds = new Histogram({
    name: 'actor_turn_duration_seconds',
    help: 'Time from a message to an agent until its reply, including the time in the mailbox',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const webhooks = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts to call a webhook, by outcome: delivered, retried later, or failed permanently',
    labelNames: ['outcome'],
    registers,
  });
  const passivations = new Counter({
    name: 'actor_passivations_total',
    help: 'Agents evicted from memory, by reason: idle, crowded (actors.maxActive), gone (deleted) or failed (a turn threw)',
    labelNames: ['reason'],
    registers,
  });
  const searches = new Histogram({
    name: 'retrieval_search_duration_seconds',
    help: 'Duration of a ranking, by state of the index in memory: warm, refreshed, cold; or failed. A question takes up to three rankings: its words, possible spellings, corrected words',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const indexes = new Gauge({
    name: 'retrieval_index_bytes',
    help: "Memory of the agents' indexes, without vectors",
    registers,
  });
  const unindexed = new Gauge({
    name: 'retrieval_documents_to_index',
    help: 'Documents that are still to be indexed after an upgrade or reindex',
    registers,
  });
  const fusions = new Counter({
    name: 'retrieval_fusions_total',
    help: 'Searches of agents whose documents all have vectors: fused; or by words only, because the model does not know the language (other_language), the question could not be embedded (no_vector), the engine had not loaded all vectors (not_ready), or the vector search failed (failed)',
    labelNames: ['outcome'],
    registers,
  });
  const unembedded = new Gauge({
    name: 'retrieval_documents_to_embed',
    help: 'Documents without vectors; 0 without an embedding model',
    registers,
  });
  const behindChanges = new Gauge({
    name: 'retrieval_behind_changes',
    help: 'Added, replaced or deleted documents that an external search engine has not received, as of the last comparison of this process',
    registers,
  });
  const behindAgents = new Gauge({
    name: 'retrieval_behind_agents',
    help: 'Agents with such changes',
    registers,
  });
  const behindSeconds = new Gauge({
    name: 'retrieval_behind_seconds',
    help: 'Age of the oldest such change',
    registers,
  });
  const depth = new Gauge({ name: 'queue_tasks_waiting', help: 'Tasks that wait for a worker', registers });
  const consumers = new Gauge({
    name: 'queue_workers_listening',
    help: 'Workers that are consuming tasks',
    registers,
  });
  const actors = new Gauge({ name: 'actors_active', help: 'Agents in memory', registers });
  const mailboxes = new Gauge({
    name: 'actor_mailbox_messages',
    help: 'Messages to agents of this process that are waiting or being processed',
    registers,
  });
  const pool = new Gauge({
    name: 'database_connections',
    help: 'Connections of this process to the database server (open, busy), and statements that wait for a connection (waiting)',
    labelNames: ['state'],
    registers,
  });
  const memory = new Gauge({
    name: 'http_memory_held_bytes',
    help: 'Part of http.bodyMemoryMb that incoming bodies and unsent responses use',
    registers,
  });

  const conversations = new Gauge({
    name: 'conversation_bytes',
    help: 'Stored bytes of the conversations of all workspaces',
    registers,
  });

  const backup = new Gauge({
    name: 'backup_age_seconds',
    help: 'Time since the last backup by `cadre backup`, or recorded with `cadre backup --record`; +Inf if there is none',
    registers,
  });

  const answer = createConversationMetrics(registers, answersUnderWay);

  /** Sets the gauges. Runs on each scrape, so that they cost nothing between scrapes. */
  async function read(): Promise<void> {
    memory.set(heldBytes());
    actors.set(activeActors());
    mailboxes.set(waitingMessages());
    for (const [state, n] of Object.entries(connections() ?? {})) pool.set({ state }, n);
    indexes.set(indexBytes());
    const lag = engineLag();
    behindChanges.set(lag?.changes ?? 0);
    behindAgents.set(lag?.agents ?? 0);
    behindSeconds.set((lag?.ageMs ?? 0) / 1000);
    const [open, queued, left, lacking, stored, unsent, oldestMs, backupAt] = await Promise.all([
      operations.backlog(),
      queue.depth(),
      toIndex(),
      toEmbed(),
      conversationBytes(),
      mailBacklog(),
      oldestEventMs(),
      lastBackupAt(),
    ]);
    social.oldest(oldestMs === null ? 0 : Math.max(0, now() - oldestMs) / 1000);
    backup.set(backupAt === null ? Number.POSITIVE_INFINITY : Math.max(0, now() / 1000 - backupAt));
    conversations.set(stored);
    mails.backlog(unsent, now());
    unembedded.set(lacking);
    unindexed.set(left.documents);
    jobs.backlog(open, now());
    if (queued.waiting !== null) depth.set(queued.waiting);
    if (queued.consumers !== null) consumers.set(queued.consumers);
  }

  const models = createModelMetrics(registers);
  const jobs = createJobMetrics(registers);
  const social = createChannelMetrics(registers);
  const mails = createMailMetrics(registers);

  return {
    models: neverThrowing(models, log),
    social: neverThrowing(social, log),
    contentType: registry.contentType,
    describe: () => describeOwn(registry, foreign),
    async print() {
      // Return the other metrics even if the database is down or hangs. The default timeout of a scrape is 10 s.
      await inTime(READ_MS, read(), () => {
        throw new Error(`the database did not respond within ${READ_MS} ms`);
      }).catch((error: unknown) => log.warn({ err: error }, 'could not read some metrics'));
      return registry.metrics();
    },
    jobs: neverThrowing(jobs, log),
    ...neverThrowing<Recorders>(
      {
        request: ({ method, route, status }, seconds) =>
          requests.observe({ method, route, status: String(status) }, seconds),
        fusion: (outcome) => fusions.inc({ outcome }),
        mail: mails.attempt,
        search: (outcome, seconds) => searches.observe({ outcome }, seconds),
        answer,
        webhook: (outcome) => webhooks.inc({ outcome }),
        passivation: (reason) => passivations.inc({ reason }),
        turn(message, ok, seconds) {
          const outcome = ok ? 'committed' : 'refused';
          turns.inc({ message, outcome });
          turnSeconds.observe({ outcome }, seconds);
        },
      },
      log,
    ),
  };
}
