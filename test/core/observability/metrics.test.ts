import { createMetrics } from '../../../core/observability/metrics.js';
import { createWorkerMetrics } from '../../../core/observability/worker-metrics.js';
import { type Log, silentLog } from '../../../core/ports/log.port.js';
import t from '../../support/t.js';

/** Invalid values in place of a number. */
const wrong = [-1, Number.NaN, '12', {}, null] as unknown[] as number[];

function recordingLog() {
  const lines: object[] = [];
  const log: Log = { ...silentLog, warn: (fields) => lines.push(fields) };
  return { log, lines };
}

/** Metrics of an API with this database. */
const metricsOf = (database: () => Promise<never>, log: Log) =>
  createMetrics({
    version: '1.2.3',
    operations: { backlog: database },
    queue: { depth: database },
    activeActors: () => 1,
    waitingMessages: () => 0,
    connections: () => null,
    now: () => 0,
    heldBytes: () => 0,
    indexBytes: () => 0,
    engineLag: () => null,
    toIndex: database,
    toEmbed: database,
    conversationBytes: database,
    mailBacklog: database,
    answersUnderWay: () => 0,
    oldestEventMs: async () => null,
    lastBackupAt: async () => null,
    health: async () => ({}),
    log,
  });

t.test('an invalid value is logged and never fails its caller', async (t) => {
  const { log, lines } = recordingLog();
  const away = async () => {
    throw new Error('the database is away');
  };
  const metrics = metricsOf(away, log);
  const figures = {
    outcome: 'completed',
    seconds: 1,
    firstTextSeconds: null,
    model: 'm',
    answered: 'suggested' as const,
    credits: 1,
    inputTokens: 5,
    outputTokens: 7,
  };
  for (const value of wrong) {
    metrics.answer({ ...figures, inputTokens: value });
    metrics.search('warm', value);
    metrics.turn('rename', true, value);
    metrics.request({ method: 'GET', route: '/', status: 200 }, value);
    metrics.models.modelCalled({ model: 'm', outcome: 'finished', seconds: value });
  }
  t.ok(lines.length > 0, 'the operator is told');
  metrics.answer(figures);
  const text = await metrics.print();
  t.match(text, /chat_tokens_total\{model="m",direction="output"\} \d/);
  t.match(text, /chat_answer_outcomes_total\{model="m",outcome="suggested"\} \d/);
  t.match(text, 'actors_active 1');
});

t.test('a database that hangs delays the other metrics by a few seconds', async (t) => {
  const { log, lines } = recordingLog();
  const metrics = metricsOf(() => new Promise<never>(() => {}), log);
  t.match(await metrics.print(), 'actors_active 1');
  t.equal(lines.length, 1);
});

t.test('an invalid value in a worker is logged too', async (t) => {
  const { log, lines } = recordingLog();
  const metrics = createWorkerMetrics({
    version: '1.2.3',
    threadsBusy: () => ({}),
    health: async () => ({}),
    log,
  });
  for (const value of wrong)
    metrics.attemptEnded({ type: 'crawl_page', outcome: 'succeeded', bytes: value, seconds: 1 });
  t.ok(lines.length > 0);
  metrics.attemptBegan('parse_file');
  t.match(await metrics.print(), 'worker_tasks_in_hand{type="parse_file"} 1');
});
