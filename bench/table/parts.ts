import { agentRows } from './agent-rows.js';
import { fileRows } from './file-rows.js';
import { readRows, strapiRows, writeRows } from './http-rows.js';
import { type Installation, startInstallation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';
import { listRows } from './list-rows.js';
import { processRows } from './process-rows.js';
import { retrainRows } from './retrain-rows.js';
import { startRows } from './start-rows.js';
import { jobRows, taskRows } from './task-rows.js';

/** What can be measured by itself. */
export interface Part {
  name: string;
  title: string;
  /** Null for what a command of its own measures. */
  measure: ((lengths: Lengths, progress: Progress) => Promise<Line[]>) | null;
}

type OnInstallation = (installation: Installation, lengths: Lengths, progress: Progress) => Promise<Line[]>;

/** On MariaDB or MySQL and RabbitMQ, in a database of its own. */
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
  { name: 'strapi', title: 'Beside Strapi', measure: installed(strapiRows) },
  { name: 'tasks', title: 'Tasks one by one', measure: installed(taskRows) },
  { name: 'job', title: 'One job of many tasks', measure: installed(jobRows) },
  { name: 'retrain', title: 'A retrain', measure: installed(retrainRows) },
  { name: 'lists', title: 'Lists of an agent that grows', measure: installed(listRows) },
  { name: 'files', title: 'While heavy files are read', measure: fileRows },
  { name: 'start', title: 'Start and memory', measure: startRows },
  { name: 'agents', title: 'Memory by agents touched', measure: installed(agentRows) },
  { name: 'processes', title: 'Several API processes', measure: installed(processRows) },
  { name: 'soak', title: 'Under load for long', measure: null },
];
