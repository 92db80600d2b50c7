import type { Static, TSchema } from '@sinclair/typebox';
import { crawlPage } from './types/crawl-page.js';
import { deliverWebhook } from './types/deliver-webhook.js';
import { embed } from './types/embed.js';
import { parseFile } from './types/parse-file.js';
import { readSitemap } from './types/read-sitemap.js';

/*
 * The types of work that workers do, one file each in `types`. Wire format, queues, permits and metrics derive from
 * these tables. A new type also needs a worker function (`TaskTable` in workers/consume.ts). A type that belongs to
 * jobs also needs a result handler (`taskResults` in core/actors/agent/jobs/results.ts). The compiler requires both.
 */

interface TaskTypeFacts {
  payload: TSchema;
  /** Timeout of an attempt, as a multiple of `workers.taskTimeoutMs`. */
  timeout: number;
  /** Concurrent tasks of a worker, as a multiple of `workers.slots`. Types do not share slots. */
  slots: number;
  /** Returns what an attempt works on, for log lines and spans, without secrets. */
  target: (payload: never) => string;
  /** The worker's counter of attempts by outcome. */
  counter: { name: string; help: string };
}

interface JobTaskTypeFacts extends TaskTypeFacts {
  /** Attempts, as a multiple of `jobs.maxAttempts`. */
  attempts: number;
  /** Why failed tasks are never retried, for users; null if they can be retried. */
  noRetry: string | null;
}

/** Types of tasks of jobs. Their results are handled in turns of an agent. */
export const jobTaskTypes = {
  crawl_page: crawlPage,
  parse_file: parseFile,
  read_sitemap: readSitemap,
  embed,
} satisfies Record<string, JobTaskTypeFacts>;

export type JobTaskType = keyof typeof jobTaskTypes;

export const taskTypes = { ...jobTaskTypes, deliver_webhook: deliverWebhook } satisfies Record<
  string,
  TaskTypeFacts
>;

export type TaskType = keyof typeof taskTypes;

export const taskTypeNames = Object.keys(taskTypes) as readonly TaskType[];

export type TaskPayloads = { [T in TaskType]: Static<(typeof taskTypes)[T]['payload']> };

/** Computes a value for each type. */
export const byTaskType = <V>(value: (type: TaskType) => V): Record<TaskType, V> =>
  Object.fromEntries(taskTypeNames.map((type) => [type, value(type)])) as Record<TaskType, V>;

/** Returns this multiple of a setting, rounded, at least 1. */
export const multipleOf = (factor: number, setting: number): number =>
  Math.max(1, Math.round(setting * factor));
