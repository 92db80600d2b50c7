import type { MetricDescription } from '../../core/observability/describe-own.js';
import { createMetrics } from '../../core/observability/metrics.js';
import { createWorkerMetrics } from '../../core/observability/worker-metrics.js';
import { silentLog } from '../../core/ports/log.port.js';
import { code, table } from './table.js';

const introduction = `# Metrics

\`GET /metrics\` answers in the Prometheus text format: in an API on \`operations.port\`, if that is set, else on the API's port; in a
worker on \`workers.port\`, if that is set. It also has the metrics of the process and of Node (\`process_*\`, \`nodejs_*\`). No label holds
the id of a workspace or an agent.`;

const tableOf = (described: MetricDescription[]): string =>
  table(
    ['metric', 'type', 'labels', 'meaning'],
    described.map(({ name, type, help, labels }) => [
      code(name),
      type,
      labels.map(code).join(', '),
      `${help}.`,
    ]),
  );

/** Describes the metrics of an API and of a worker. */
export function describedMetrics(): Record<'api' | 'worker', MetricDescription[]> {
  const unread = () => Promise.reject(new Error('a description reads no values'));
  const metrics = createMetrics({
    version: '',
    operations: { backlog: unread },
    queue: { depth: unread },
    activeActors: () => 0,
    waitingMessages: () => 0,
    connections: () => null,
    now: () => 0,
    heldBytes: () => 0,
    indexBytes: () => 0,
    engineLag: () => null,
    toIndex: unread,
    toEmbed: unread,
    conversationBytes: unread,
    mailBacklog: unread,
    answersUnderWay: () => 0,
    oldestEventMs: async () => null,
    lastBackupAt: unread,
    health: unread,
    log: silentLog,
  });
  const worker = createWorkerMetrics({
    version: '',
    threadsBusy: () => ({}),
    health: unread,
    log: silentLog,
  });
  return { api: metrics.describe(), worker: worker.describe() };
}

/** Returns the text of docs/metrics.md. */
export function metricsReference(): string {
  const { api, worker } = describedMetrics();
  return [introduction, '## Of an API process', tableOf(api), '## Of a worker process', tableOf(worker)].join(
    '\n\n',
  );
}
