import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Queue } from '../ports/queue.port.js';
import type { Operations } from '../ports/store.port.js';

export interface Metrics {
  /** In the Prometheus text format. */
  print(): Promise<string>;
  contentType: string;
  request(labels: { method: string; route: string; status: number }, seconds: number): void;
  event(kind: string): void;
  turn(message: string, ok: boolean): void;
}

interface Sources {
  operations: Operations;
  queue: Queue;
  activeActors: () => number;
}

/** Names follow the OpenTelemetry and Prometheus conventions. No workspace or agent ids: labels stay few. */
export function createMetrics({ operations, queue, activeActors }: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const events = new Counter({
    name: 'task_events_total',
    help: 'What workers said about attempts',
    labelNames: ['kind'],
    registers,
  });
  const turns = new Counter({
    name: 'actor_turns_total',
    help: 'Turns by message and outcome',
    labelNames: ['message', 'outcome'],
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
  const depth = new Gauge({ name: 'queue_tasks_waiting', help: 'Tasks that no worker has taken', registers });
  const consumers = new Gauge({
    name: 'queue_workers_listening',
    help: 'Workers that listen for tasks',
    registers,
  });
  const actors = new Gauge({ name: 'actors_active', help: 'Agents in memory', registers });

  /** Read when asked: a gauge that nobody reads costs nothing. */
  async function read(): Promise<void> {
    const [open, queued] = await Promise.all([operations.counts(), queue.depth()]);
    for (const state of ['pending', 'running'] as const) jobs.set({ state }, open.jobs[state] ?? 0);
    for (const state of ['pending', 'queued', 'running'] as const)
      tasks.set({ state }, open.tasks[state] ?? 0);
    if (queued.waiting !== null) depth.set(queued.waiting);
    if (queued.consumers !== null) consumers.set(queued.consumers);
    actors.set(activeActors());
  }

  return {
    contentType: registry.contentType,
    async print() {
      // The database being away is no reason to hide the rest.
      await read().catch(() => {});
      return registry.metrics();
    },
    request: ({ method, route, status }, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    event: (kind) => events.inc({ kind }),
    turn: (message, ok) => turns.inc({ message, outcome: ok ? 'committed' : 'refused' }),
  };
}
