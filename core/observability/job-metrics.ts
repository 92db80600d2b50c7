import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DomainEvent } from '../actors/agent/domain-event.js';
import type { Backlog } from '../ports/store/operations.js';
import type { TaskEvent } from '../tasks/wire.js';

const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];
const JOB_SECONDS = [1, 2, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];

export interface JobMetrics {
  observe(event: DomainEvent): void;
  event(event: TaskEvent): void;
  foreignEvent(): void;
  /** Sets the gauges that each scrape reads from the database. `nowMs` is the time of the installation's clock. */
  backlog(backlog: Backlog, nowMs: number): void;
}

export function createJobMetrics(registers: Registry[]): JobMetrics {
  const events = new Counter({
    name: 'task_events_total',
    help: 'Events from workers about attempts',
    labelNames: ['kind'],
    registers,
  });
  const attempts = new Counter({
    name: 'task_attempts_total',
    help: 'Finished attempts, by outcome: succeeded, or failure code; WORKER_CRASHED is a dead letter',
    labelNames: ['outcome'],
    registers,
  });
  const deadLetters = new Counter({
    name: 'dead_letters_total',
    help: 'Attempts whose messages became dead letters: delivered jobs.maxDeliveries times without an end, or unreadable',
    registers,
  });
  const foreignEvents = new Counter({
    name: 'foreign_events_total',
    help: 'Events of other installations that were received from the queue and dropped',
    registers,
  });
  const leases = new Counter({
    name: 'leases_expired_total',
    help: 'Running attempts that expired because jobs.stalledAfterSeconds passed without a heartbeat',
    labelNames: ['type'],
    registers,
  });
  const waits = new Histogram({
    name: 'job_queue_wait_seconds',
    help: 'Time from the admission of an attempt until a worker starts it, by type of task',
    labelNames: ['type'],
    buckets: WAIT_SECONDS,
    registers,
  });
  const durations = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time from the creation of a job to its end, by type and status',
    labelNames: ['type', 'status'],
    buckets: JOB_SECONDS,
    registers,
  });
  const jobs = new Gauge({
    name: 'jobs_in_state',
    help: 'Open jobs by state',
    labelNames: ['state'],
    registers,
  });
  const tasks = new Gauge({
    name: 'tasks_in_state',
    help: 'Open tasks by state',
    labelNames: ['state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'oldest_waiting_job_seconds',
    help: 'Age of the oldest job without a started task; 0 if no job is waiting',
    registers,
  });
  const pending = new Gauge({
    name: 'outbox_pending',
    help: 'Admitted attempts that are not yet confirmed by the queue',
    registers,
  });
  const oldestPending = new Gauge({
    name: 'outbox_oldest_seconds',
    help: 'Age of the oldest attempt in outbox_pending; 0 if it is empty',
    registers,
  });

  return {
    observe(event) {
      if (event.kind === 'leaseExpired') leases.inc({ type: event.type });
      else if (event.kind === 'attemptTaken')
        waits.observe({ type: event.type }, Math.max(0, event.waitedMs) / 1000);
      else durations.observe({ type: event.type, status: event.status }, event.seconds);
    },
    event(event) {
      events.inc({ kind: event.kind });
      if (event.kind === 'succeeded') attempts.inc({ outcome: 'succeeded' });
      if (event.kind === 'failed') attempts.inc({ outcome: event.failure.code });
      if (event.kind !== 'dead') return;
      attempts.inc({ outcome: 'WORKER_CRASHED' });
      deadLetters.inc();
    },
    foreignEvent: () => foreignEvents.inc(),
    backlog(open, nowMs) {
      for (const state of ['pending', 'running'] as const) jobs.set({ state }, open.jobs[state] ?? 0);
      for (const state of ['pending', 'queued', 'running'] as const)
        tasks.set({ state }, open.tasks[state] ?? 0);
      const age = (atMs: number | null) => (atMs === null ? 0 : Math.max(0, nowMs - atMs) / 1000);
      oldest.set(age(open.oldestJobAt === null ? null : open.oldestJobAt * 1000));
      pending.set(open.unpublished);
      oldestPending.set(age(open.oldestUnpublishedAtMs));
    },
  };
}
