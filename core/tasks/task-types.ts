import type { Static, TSchema } from '@sinclair/typebox';
import { crawlPage } from './types/crawl-page.js';
import { deliverWebhook } from './types/deliver-webhook.js';
import { embed } from './types/embed.js';
import { parseFile } from './types/parse-file.js';
import { readSitePage } from './types/read-site-page.js';
import { readSitemap } from './types/read-sitemap.js';
import { recognisePages } from './types/recognise-pages.js';

/*
 * The types of tasks, one file each in `types`. Wire format, queues, permits and metrics derive from these tables. A
 * new type also needs a worker function (`TaskTable` in workers/consume.ts), and a result handler if it belongs to
 * jobs (`taskResults` in core/actors/agent/jobs/results.ts). The compiler requires both.
 */

interface TaskTypeFacts {
  payload: TSchema;
  /** Timeout of an attempt, as a multiple of `workers.taskTimeoutMs`. */
  timeout: number;
  /** Maximum concurrent tasks of a worker, as a multiple of `workers.slots`. Types do not share slots. */
  slots: number;
  /** Returns the subject of an attempt (URL, file name) without secrets, for log lines and spans. */
  target: (payload: never) => string;
  /** The worker's counter of attempts by outcome. */
  counter: { name: string; help: string };
}

interface JobTaskTypeFacts extends TaskTypeFacts {
  /** Maximum attempts, as a multiple of `jobs.maxAttempts`. */
  attempts: number;
  /** Sentence for users that says why failed tasks cannot be retried; null if they can. */
  noRetry: string | null;
}

/** Types of tasks that belong to jobs. Turns of an agent handle their results. */
export const jobTaskTypes = {
  crawl_page: crawlPage,
  parse_file: parseFile,
  recognise_pages: recognisePages,
  read_sitemap: readSitemap,
  read_site_page: readSitePage,
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

/** Multiplies a setting by a factor. Returns an integer, at least 1. */
export const multipleOf = (factor: number, setting: number): number =>
  Math.max(1, Math.round(setting * factor));
