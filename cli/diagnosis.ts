import type { WhereItWorks } from '../config/where-it-works.js';
import type { Health } from '../core/ports/health.js';
import type { KindOf, PluginKind } from '../core/ports/plugin.port.js';
import type { Checked } from './checked.js';
import type { DatabaseFindings } from './doctor-database.js';
import type { QueueDiagnosis } from './doctor-queue.js';

/** Checks of dependencies that every process uses. */
interface SharedChecks {
  ok: boolean;
  version: string;
  node: string;
  /** Start of the installation id, as shown by `/readyz`; null if unknown. */
  installation: string | null;
  storage: Checked;
  queue: QueueDiagnosis;
  /** Health of the embedding plugin, tested with one vector; ok if there is no model. */
  embedding: Health;
  /** What to do. */
  advice: string[];
}

/** State of all dependencies of an API process. */
export interface ApiDiagnosis extends SharedChecks, DatabaseFindings {
  role: 'api';
  where: WhereItWorks;
  plugins: Record<PluginKind, string>;
  /** Health of each provider of the model plugin, tested by requesting one token. Empty without providers. */
  models: Record<string, Health>;
  /** Whether the mail server lets this installation in; ok without one. */
  mail: Health;
  /** Whether the provider of OpenID Connect can be reached; ok without one. */
  openid: Health;
  /** Describes another installation that has claimed the storage; null if there is none or it is unknown. */
  sharedStorage: string | null;
}

/** State of all dependencies of a worker, which has no database. */
export interface WorkerDiagnosis extends SharedChecks {
  role: 'worker';
  where: Pick<WhereItWorks, KindOf<'worker'>>;
  plugins: Record<KindOf<'worker'>, string>;
}

/** `ok` is true if every check was made and there is no advice. */
export type Diagnosis = ApiDiagnosis | WorkerDiagnosis;
