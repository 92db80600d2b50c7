import { readRows, writeRows } from './http-rows.js';
import { type Installation, startInstallation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';
import { retrainRows } from './retrain-rows.js';
import { startRows } from './start-rows.js';
import { jobRows, taskRows } from './task-rows.js';

/** A part of the bench that can run alone. */
export interface Part {
  name: string;
  title: string;
  /** Null for earlier results that are no longer measured. */
  measure: ((lengths: Lengths, progress: Progress) => Promise<Line[]>) | null;
}

type OnInstallation = (installation: Installation, lengths: Lengths, progress: Progress) => Promise<Line[]>;

/** Uses MariaDB or MySQL and RabbitMQ, with its own database. */
const installed =
  (rows: OnInstallation): Part['measure'] =>
  async (lengths, progress) => {
    const installation = await startInstallation();
    try {
      return await rows(installation, lengths, progress);
    } finally {
      await installation.close();
    }
  };

/** In the order of the page. */
export const parts: readonly Part[] = [
  { name: 'http-reads', title: 'Reads', measure: installed(readRows) },
  { name: 'http-writes', title: 'Changes and texts', measure: installed(writeRows) },
  { name: 'tasks', title: 'Tasks one by one', measure: installed(taskRows) },
  { name: 'job', title: 'One job of many tasks', measure: installed(jobRows) },
  { name: 'retrain', title: 'A retrain', measure: installed(retrainRows) },
  { name: 'start', title: 'Start and memory', measure: startRows },
  { name: 'straight', title: 'Beside services on an ORM', measure: null },
  { name: 'strapi', title: 'Beside Strapi', measure: null },
  { name: 'queues', title: 'Beside other queues', measure: null },
  { name: 'alone', title: 'A retrain beside the worker alone', measure: null },
  { name: 'lists', title: 'Lists of an agent that grows', measure: null },
  { name: 'files', title: 'While heavy files are read', measure: null },
  { name: 'agents', title: 'Memory by agents touched', measure: null },
  { name: 'processes', title: 'Several API processes', measure: null },
  { name: 'soak', title: 'Under load for long', measure: null },
];
