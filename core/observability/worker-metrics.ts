import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { TaskType } from '../tasks/task-types.js';
import { addBuildInfo } from './build-info.js';
import { describeOwn, type MetricDescription } from './describe-own.js';

/** How an attempt ended: `succeeded`, `unchanged`, or the code of its failure. */
export interface AttemptEnd {
  type: TaskType;
  outcome: string;
  /** Of the text that it brought. */
  bytes: number;
  seconds: number;
}

export interface WorkerMetrics {
  attemptBegan(type: TaskType): void;
  attemptEnded(end: AttemptEnd): void;
  /** In the Prometheus text format. */
  print(): Promise<string>;
  contentType: string;
  /** Those of our own, for the reference. */
  describe(): MetricDescription[];
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 360];
const outcomes: Record<TaskType, string> = {
  crawl_page: 'crawl_pages_total',
  parse_file: 'parse_files_total',
};

/** What a worker measures of its own work. `threadsBusy`: threads that read now, by pool. */
export function createWorkerMetrics({
  version,
  threadsBusy,
}: {
  version: string;
  threadsBusy: () => Record<string, number>;
}): WorkerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const foreign = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  addBuildInfo(registers, version);
  const durations = new Histogram({
    name: 'task_duration_seconds',
    help: 'Time from taking an attempt until its end, waiting for a slot, a host and a thread included',
    labelNames: ['type', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const pages = new Counter({
    name: outcomes.crawl_page,
    help: 'Attempts to fetch a page, by outcome: succeeded, unchanged, or the code of the failure',
    labelNames: ['outcome'],
    registers,
  });
  const files = new Counter({
    name: outcomes.parse_file,
    help: 'Attempts to read a file, by outcome: succeeded, or the code of the failure',
    labelNames: ['outcome'],
    registers,
  });
  const counters: Record<TaskType, Counter> = { crawl_page: pages, parse_file: files };
  const bytes = new Counter({
    name: 'source_bytes_ingested_total',
    help: 'Bytes of text that attempts brought, by type of task',
    labelNames: ['type'],
    registers,
  });
  const inHand = new Gauge({
    name: 'worker_tasks_in_hand',
    help: 'Attempts that this worker has taken and not ended, by type of task',
    labelNames: ['type'],
    registers,
  });
  new Gauge({
    name: 'worker_threads_busy',
    help: 'Threads that read a page or a file at this moment, by pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, n] of Object.entries(threadsBusy())) this.set({ pool }, n);
    },
  });
  return {
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
    print: () => registry.metrics(),
    contentType: registry.contentType,
    describe: () => describeOwn(registry, foreign),
  };
}
