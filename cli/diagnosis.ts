import type { WhereItWorks } from '../config/where-it-works.js';
import type { Health } from '../core/ports/health.js';
import type { KindOf, PluginKind } from '../core/ports/plugin.port.js';
import type { Checked } from './checked.js';
import type { DatabaseFindings } from './doctor-database.js';
import type { QueueDiagnosis } from './doctor-queue.js';

/** Of what every process uses. */
interface SharedChecks {
  ok: boolean;
  version: string;
  node: string;
  /** Start of the installation id, as shown by `/readyz`; null if it is not known. */
  installation: string | null;
  storage: Checked;
  queue: QueueDiagnosis;
  /** Health of the embedding plugin, tested with one vector; ok if there is no model. */
  embedding: Health;
  /** What to do. */
  advice: string[];
}

/** State of everything that an API process uses. */
export interface ApiDiagnosis extends SharedChecks, DatabaseFindings {
  role: 'api';
  where: WhereItWorks;
  plugins: Record<PluginKind, string>;
  /** Health of each provider of the model plugin, tested with a request for one token; empty without providers. */
  models: Record<string, Health>;
  /** Describes another installation that has claimed the storage; null if none has, or if it is not known. */
  sharedStorage: string | null;
}

/** State of everything that a worker uses. It has no database. */
export interface WorkerDiagnosis extends SharedChecks {
  role: 'worker';
  where: Pick<WhereItWorks, KindOf<'worker'>>;
  plugins: Record<KindOf<'worker'>, string>;
}

/** `ok` if every check was made and there is no advice. */
export type Diagnosis = ApiDiagnosis | WorkerDiagnosis;
