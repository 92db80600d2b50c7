import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../core/ports/clock.port.js';
import type { Health } from '../core/ports/health.js';
import { silentLog } from '../core/ports/log.port.js';
import type { Feed } from '../core/ports/retrieval.port.js';
import type { Store } from '../core/ports/store/store.port.js';
import { compare } from '../core/retrieval/feed/compare.js';
import { UNPROTECTED_SECRETS } from '../core/secrets/unprotected-secrets.js';
import { isKeyUnused, unusedKey } from '../core/workspaces/first-workspace.js';
import { installationId, shortId } from '../core/workspaces/installation-id.js';
import type { Checked, Identity } from './checked.js';
import { CliError } from './cli-error.js';
import { type Installation, reaching, withInstallation } from './installation.js';
import { reasonOf } from './started-plugin.js';

/** Findings in the database. A field is null if it was not checked, because the database cannot be read. */
export interface DatabaseFindings {
  database: Health;
  databaseVersion: string | null;
  /** TLS version of the connection to a database server; also null if it is not encrypted. */
  databaseEncryption: string | null;
  pending: string[] | null;
  /** Start of the installation id, as shown by `/readyz`. */
  installation: string | null;
  /** How far the database's clock is ahead of this machine's, in seconds. */
  clockOffsetSeconds: number | null;
  /** True if BOOTSTRAP_API_KEY is set but is not a key in this database. */
  unusedKey: boolean | null;
  /** Also fails if the index lags behind the database and no process updates it. */
  retrieval: Checked;
  workspaces: number | null;
  unknownPlans: string[] | null;
  /** Ids of jobs that no process works on. */
  waitingJobs: string[] | null;
  /** True if agents have secrets but `secrets.key` is not set. */
  unprotectedSecrets: boolean | null;
  /** True if an `x-forwarded-for` header was ignored in the last 24 hours because no proxy is trusted. */
  ignoredHeader: boolean | null;
}

const WAITING_SECONDS = 600;
const DAY_SECONDS = 86_400;
const MOST_SECONDS_APART = 30;
const LOOKED_AT = 50;
/** Longer than the interval between a server's syncs to a search engine, in milliseconds. */
const FED_MS = 8000;

/** Reads the database, and checks everything that depends on it. */
export async function askDatabase(): Promise<{ found: DatabaseFindings; identity: Identity }> {
  try {
    return await withInstallation(inspectDatabase, { migrated: false, makes: false });
  } catch (error) {
    if (!(error instanceof CliError) || !['DATABASE_MISSING', 'DATABASE_UNAVAILABLE'].includes(error.code))
      throw error;
    const unknown = 'the database cannot be read';
    return {
      found: { ...notChecked(unknown), database: { ok: false, reason: error.message } },
      identity: { unknown },
    };
  }
}

const notChecked = (reason: string) => ({
  databaseVersion: null,
  databaseEncryption: null,
  pending: null,
  installation: null,
  clockOffsetSeconds: null,
  unusedKey: null,
  retrieval: { ok: null, reason },
  workspaces: null,
  unknownPlans: null,
  waitingJobs: null,
  unprotectedSecrets: null,
  ignoredHeader: null,
});

async function inspectDatabase(
  installation: Installation,
): Promise<{ found: DatabaseFindings; identity: Identity }> {
  const { store, plans, settings } = installation;
  const pending = await reaching(() => store.pending());
  const databaseVersion = await reaching(() => store.version());
  const databaseEncryption = await reaching(() => store.encryption());
  if (pending.length > 0) {
    const unknown = 'the database needs migrations';
    return {
      found: { ...notChecked(unknown), database: { ok: true }, databaseVersion, databaseEncryption, pending },
      identity: { unknown },
    };
  }
  const secret = await store.secret();
  const workspaces = await store.workspaces.list();
  const inUse = new Set(workspaces.map(({ plan }) => plan));
  const found: DatabaseFindings = {
    database: await store.health(),
    databaseVersion,
    databaseEncryption,
    pending,
    installation: shortId(installationId(secret)),
    clockOffsetSeconds: Math.round(((await store.now()) - Date.now()) / 1000),
    unusedKey: await isKeyUnused(store.workspaces, settings.bootstrapApiKey),
    retrieval: await askEngine(installation),
    workspaces: workspaces.length,
    unknownPlans: [...inUse].filter((plan) => !plans.has(plan)),
    waitingJobs: await waiting(store),
    ignoredHeader:
      settings.http.trustedProxies.length === 0 &&
      ((await store.visitors.ignoredHeaderAt()) ?? 0) > seconds(await store.now()) - DAY_SECONDS,
    unprotectedSecrets: settings.secrets.key === null && (await store.agentSecrets.any()),
  };
  return { found, identity: { secret } };
}

async function askEngine(installation: Installation): Promise<Health> {
  const { withPorts } = await import('./ports.js');
  try {
    return await withPorts(installation, ['retrieval'], silentLog, async ({ retrieval }) => {
      const health = await retrieval.health();
      return health.ok && retrieval.feed ? await lagOf(retrieval.feed, installation.store) : health;
    });
  } catch (error) {
    const { cause = error } = error as Error;
    return { ok: false, reason: reasonOf(cause) };
  }
}

/** Returns a failure if the search engine lags behind and is not being updated. */
async function lagOf(feed: Feed, { knowledge }: Store): Promise<Health> {
  const before = await compare(feed, knowledge);
  if (before.behind.length === 0) return { ok: true };
  await sleep(FED_MS);
  const { behind } = await compare(feed, knowledge);
  const stuck = behind.filter(({ known }) =>
    before.behind.some(
      (one) => one.state.id === known.id && one.known.knowledgeVersion === known.knowledgeVersion,
    ),
  );
  if (stuck.length < before.behind.length) return { ok: true };
  return {
    ok: false,
    reason: `it lacks the changes of ${stuck.length} agents: is a server running?`,
  };
}

/** Returns the ids of old pending jobs of agents without a running job. */
async function waiting({ operations, now }: Store): Promise<string[]> {
  const createdBefore = seconds(await now()) - WAITING_SECONDS;
  const old = await operations.jobs({ status: 'pending', createdBefore }, { limit: LOOKED_AT, before: null });
  const stuck: string[] = [];
  for (const { id, agentId } of old) {
    const running = await operations.jobs({ status: 'running', agentId }, { limit: 1, before: null });
    if (running.length === 0) stuck.push(String(id));
  }
  return stuck;
}

export function adviceOnDatabase(found: DatabaseFindings): string[] {
  const { database, retrieval, pending, workspaces, unknownPlans, waitingJobs } = found;
  if (!database.ok) return [database.reason];
  if (pending !== null && pending.length > 0)
    return ['The database is older than this version. Run `migrate`.'];
  const secondsApart = Math.abs(found.clockOffsetSeconds ?? 0);
  return [
    ...(secondsApart > MOST_SECONDS_APART
      ? [
          `The clocks of the database and of this machine are ${secondsApart} seconds apart. Synchronise both with NTP: upload URLs and leases use the database's.`,
        ]
      : []),
    ...(found.unusedKey && workspaces !== 0 ? [`${unusedKey}.`] : []),
    ...(retrieval.ok === false ? [`Check the search engine: ${retrieval.reason}`] : []),
    ...(found.ignoredHeader
      ? [
          'Visitors came through a proxy that is not trusted, so they share one address and its limits. List the proxy in http.trustedProxies (CADRE_HTTP_TRUSTED_PROXIES).',
        ]
      : []),
    ...(found.unprotectedSecrets ? [`${UNPROTECTED_SECRETS}.`] : []),
    ...(workspaces === 0 ? ['There is no workspace. Start the server once, or run `workspace create`.'] : []),
    ...(unknownPlans !== null && unknownPlans.length > 0
      ? [`Add the plans ${unknownPlans.join(', ')} to config/plans.json, or update their workspaces.`]
      : []),
    ...(waitingJobs !== null && waitingJobs.length > 0
      ? [
          `Jobs ${waitingJobs.join(', ')} have been waiting for more than 10 minutes. Check that a server and a worker are running.`,
        ]
      : []),
  ];
}
