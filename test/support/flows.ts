import type { SampleFile } from './sample-files.js';
import { until } from './until.js';

/** Short helpers for clients of the API; every call expects success. */

export interface Job {
  id: string;
  status: string;
  tasksCount: number;
  tasksCompletedCount: number;
  tasksFailedCount: number;
  /** The first 100. */
  tasks: {
    id: string;
    target: string;
    status: string;
    attempts: number;
    documentId: string | null;
    lastError: { code: string } | null;
  }[];
}

export interface Client {
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** Polls until the job has ended, by default for a minute. */
  jobEnd(agentId: string, jobId: string | number, deadlineMs?: number): Promise<Job>;
  /** Signs, uploads and registers; returns the job id. */
  addFiles(agentId: string, files: SampleFile[]): Promise<number>;
  /** All pages of a list, with this many items each. */
  walk<T>(path: string, limit?: number): Promise<T[]>;
}

export function client(baseUrl: string, key: string): Client {
  const me: Client = {
    async call<T>(method: string, path: string, body?: object) {
      const response = await fetch(`${baseUrl}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text) as T;
    },
    jobEnd: (agentId, jobId, deadlineMs) =>
      until(
        `job ${jobId}`,
        async () => {
          const job = await me.call<Job>('GET', `/agents/${agentId}/jobs/${jobId}`);
          return ['completed', 'failed', 'cancelled'].includes(job.status) && job;
        },
        deadlineMs,
      ),
    async addFiles(agentId, files) {
      const names = files.map(({ fileName }) => ({ fileName }));
      const signed = await me.call<{ files: { fileName: string; storagePath: string; uploadUrl: string }[] }>(
        'POST',
        `/agents/${agentId}/sources/file/upload-url`,
        { files: names },
      );
      await Promise.all(
        signed.files.map(async ({ uploadUrl }, n) => {
          const file = files[n];
          const put = await fetch(uploadUrl, {
            method: 'PUT',
            headers: { 'content-type': file?.type ?? '' },
            body: Buffer.from(file?.bytes ?? []),
          });
          if (!put.ok) throw new Error(`PUT: ${put.status} ${await put.text()}`);
        }),
      );
      const registered = signed.files.map(({ fileName, storagePath }) => ({ fileName, storagePath }));
      const { jobId } = await me.call<{ jobId: number }>('POST', `/agents/${agentId}/sources/file`, {
        files: registered,
      });
      return jobId;
    },
    async walk<T>(path: string, limit = 100) {
      const items: T[] = [];
      let cursor: string | null = null;
      do {
        const page: { data: T[]; pagination: { cursor: string | null } } = await me.call(
          'GET',
          `${path}?limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        items.push(...page.data);
        cursor = page.pagination.cursor;
      } while (cursor !== null);
      return items;
    },
  };
  return me;
}
