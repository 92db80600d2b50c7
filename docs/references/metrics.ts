import { createMetrics } from '../../core/observability/metrics.js';
import { code, table } from './table.js';

const introduction = `# Metrics

\`GET /metrics\` of an API process answers in the Prometheus text format. Besides the metrics below it holds those of the process and of Node
(\`process_*\`, \`nodejs_*\`). No label holds the id of a workspace or an agent.`;

/** The text of docs/metrics.md. */
export function metricsReference(): string {
  const unread = () => Promise.reject(new Error('the reference reads no values'));
  const metrics = createMetrics({
    version: '',
    operations: { counts: unread },
    queue: { depth: unread },
    activeActors: () => 0,
    heldBytes: () => 0,
    indexBytes: () => 0,
    engineLag: () => null,
    toIndex: unread,
    answersUnderWay: () => 0,
  });
  const rows = metrics
    .describe()
    .map(({ name, type, help, labels }) => [code(name), type, labels.map(code).join(', '), `${help}.`]);
  return [introduction, table(['metric', 'type', 'labels', 'meaning'], rows)].join('\n\n');
}
