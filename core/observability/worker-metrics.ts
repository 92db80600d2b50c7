import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Health } from '../ports/health.js';
import type { Log } from '../ports/log.port.js';
import { byTaskType, type TaskType, taskTypes } from '../tasks/task-types.js';
import { addBuildInfo } from './build-info.js';
import { addDependencies } from './dependency-metrics.js';
import { describeOwn, type MetricDescription } from './describe-own.js';
import { neverThrowing } from './never-throwing.js';

/** Outcome of an attempt: `succeeded`, `unchanged`, or a failure code. */
export interface AttemptEnd {
  type: TaskType;
  outcome: string;
  /** Size of the extracted text in bytes. */
  bytes: number;
  seconds: number;
}

/** Functions that record a measurement. They never throw: errors are logged. */
interface Recorders {
  attemptBegan(type: TaskType): void;
  attemptEnded(end: AttemptEnd): void;
  foreignTask(): void;
}

export interface WorkerMetrics extends Recorders {
  /** Returns all metrics in the Prometheus text format. */
  print(): Promise<string>;
  contentType: string;
  /** Describes Cadre's own metrics, for the reference documentation. */
  describe(): MetricDescription[];
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 360];

/** Creates the metrics of a worker process. `threadsBusy` returns the number of busy threads by pool. */
export function createWorkerMetrics({
  version,
  threadsBusy,
  health,
  log,
}: {
  version: string;
  threadsBusy: () => Record<string, number>;
  health: () => Promise<Record<string, Health>>;
  log: Log;
}): WorkerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const foreign = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  addBuildInfo(registers, version);
  addDependencies(registers, health);
  const durations = new Histogram({
    name: 'task_duration_seconds',
    help: 'Duration of attempts, including the wait for a slot, a host and a thread',
    labelNames: ['type', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const counters = byTaskType(
    (type) => new Counter({ ...taskTypes[type].counter, labelNames: ['outcome'], registers }),
  );
  const bytes = new Counter({
    name: 'source_bytes_ingested_total',
    help: 'Bytes of extracted text, by type of task',
    labelNames: ['type'],
    registers,
  });
  const inHand = new Gauge({
    name: 'worker_tasks_in_hand',
    help: 'Attempts in progress on this worker, by type of task',
    labelNames: ['type'],
    registers,
  });
  new Gauge({
    name: 'worker_threads_busy',
    help: 'Threads that are reading a page or a file, by pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, n] of Object.entries(threadsBusy())) this.set({ pool }, n);
    },
  });
  const foreignTasks = new Counter({
    name: 'foreign_tasks_total',
    help: 'Tasks of other installations that were received from the queue and became dead letters',
    registers,
  });
  return {
    ...neverThrowing<Recorders>(
      {
        foreignTask: () => foreignTasks.inc(),
        attemptBegan: (type) => inHand.inc({ type }),
        attemptEnded({ type, outcome, bytes: brought, seconds }) {
          inHand.dec({ type });
          durations.observe(
            { type, outcome: ['succeeded', 'unchanged'].includes(outcome) ? outcome : 'failed' },
            seconds,
          );
          counters[type].inc({ outcome });
          bytes.inc({ type }, brought);
        },
      },
      log,
    ),
    print: () => registry.metrics(),
    contentType: registry.contentType,
    describe: () => describeOwn(registry, foreign),
  };
}
