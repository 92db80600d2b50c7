import { type Static, Type } from '@sinclair/typebox';
import { byKind, type PluginKind } from '../core/ports/plugin.port.js';
import type { JsonObject } from '../core/schemas/json.js';
import { limits } from '../core/schemas/limits.js';
import { longestSettings } from '../core/schemas/longest-settings.js';
import { models } from '../core/schemas/models.js';
import { chatSettings } from './chat-settings.js';
import { httpSettings } from './http-settings.js';
import { mailSettings } from './mail-settings.js';
import { automatic } from './plugin-credentials.js';
import { secretsSettings } from './secrets-settings.js';
import { count, named, oneOf, orNull, section, webPage } from './setting-shapes.js';
import { signInSettings } from './sign-in-settings.js';
import { tracingSettings } from './tracing-settings.js';
import { widgetSettings } from './widget-settings.js';

/*
 * All settings with type, unit, bounds and description. Defaults are in default.json. Annotations in addition to
 * those of JSON Schema: `unit`, `expects` (describes valid values if type and bounds are not enough), `env` (name of
 * the environment variable if it is not derived from the path). `writeOnly` marks secrets.
 */

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
const MIB = 1_048_576;

const origins = {
  type: 'string',
  format: 'origin',
} as const;

/** In files, a null `use` selects the plugin by the environment. Loaded settings always have a name. */
const plugin = (kind: PluginKind) =>
  section({
    use: Type.Unsafe<string>({
      type: ['string', 'null'],
      minLength: 1,
      expects: 'the name of a built-in plugin or of a package, or a path',
      description: `The ${kind} plugin. null: ${automatic(kind)}.`,
    }),
    options: Type.Unsafe<JsonObject>({
      type: 'object',
      writeOnly: true,
      expects: 'a JSON object',
      description: `Options of the ${kind} plugin, checked with its own schema. Replaced as a whole, never merged.`,
    }),
  });

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export const roles = ['api', 'worker'] as const;

export const settingsSchema = section({
  http: httpSettings,
  console: webPage('the console', '/console'),
  reference: webPage('the API reference', '/docs'),
  widget: widgetSettings,
  secrets: secretsSettings,
  dataDir: Type.String({
    env: 'DATA_DIR',
    minLength: 1,
    expects: 'a folder',
    description: "Folder for this installation's data. Relative to the working directory.",
  }),
  roles: Type.Array(Type.Unsafe<(typeof roles)[number]>({ type: 'string', enum: [...roles] }), {
    env: 'ROLES',
    minItems: 1,
    uniqueItems: true,
    expects: `a list without repetition of ${roles.join(', ')}`,
    description: 'What this process does: serve the API, run tasks, or both.',
  }),
  log: section({
    requests: Type.Boolean({
      expects: 'true or false',
      description:
        'Whether each request to the API, except probes and scrapes, is logged at `info`. false: at `debug`.',
    }),
  }),
  logLevel: orNull(
    named(
      'LOG_LEVEL',
      oneOf('Lowest level of log lines to write. null: `info`, or `warn` at a terminal.', logLevels),
    ),
  ),
  bootstrapApiKey: orNull(
    Type.String({
      env: 'BOOTSTRAP_API_KEY',
      writeOnly: true,
      minLength: 16,
      maxLength: 512,
      pattern: '^[!-~]+$',
      expects: '16 to 512 printable ASCII characters without spaces',
      description:
        'API key for the workspace created at the first start. null: a key is generated and printed once.',
    }),
  ),
  database: section({
    url: orNull(
      Type.String({
        env: 'DATABASE_URL',
        writeOnly: true,
        format: 'database-url',
        expects:
          'mysql://user:password@host:3306/database (special characters of the password percent-encoded) or sqlite:/path/to/file',
        description:
          'Database to use. null: the SQLite file cadre.sqlite in the data folder. MySQL over TLS: add `?ssl-mode=` with DISABLED (the default), PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY, and `&ssl-ca=`, `&ssl-cert=`, `&ssl-key=` with paths of PEM files.',
      }),
    ),
    poolSize: count(
      'Maximum number of database connections of this process (MySQL). A third of them is reserved for reads.',
      'connections',
      1,
      1000,
    ),
    statementTimeoutMs: count(
      'Maximum time for one statement (MySQL). If the server does not respond within one more second, the connection is closed. Migrations are exempt.',
      'milliseconds',
      1,
      HOUR_MS,
    ),
  }),
  plugins: section(byKind(plugin)),
  channels: section({
    trustedNetworks: Type.Array(Type.String({ format: 'cidr' }), {
      uniqueItems: true,
      expects: 'a list of addresses or networks such as 198.51.100.0/24 or 2001:db8::/32',
      description:
        'Networks from which the social platform sends its events. If the list is not empty, all other addresses together get a quarter of the memory for events. Behind a proxy, also set `http.trustedProxies`.',
    }),
    maxPending: count(
      'Maximum number of waiting events of the social channel. Further events are rejected with 503, and the platform sends them again.',
      'events',
      1,
      10_000_000,
    ),
    gatherMs: count(
      'How long the agent waits for another message of the same person before it answers.',
      'milliseconds',
      0,
      longestSettings.gatherMs,
    ),
    humanPauseSeconds: count(
      'How long the agent stays silent in a conversation after a person of your team has answered.',
      'seconds',
      1,
      longestSettings.humanPauseSeconds,
    ),
    eventStreams: count(
      'Maximum number of event streams of conversations that visitors may have open at one process, and as many of staff. A workspace gets at most half.',
      'streams',
      1,
      100_000,
    ),
  }),
  models: section({
    default: oneOf(
      "Model for agents that have not selected a model, or whose plan no longer includes the selected model. The model plugin maps it to the provider's own name.",
      models,
    ),
    visitorShare: Type.Number({
      minimum: 0,
      maximum: 1,
      expects: 'a number from 0 to 1',
      description:
        'Maximum share of the concurrent and queued answers of a model provider that visitors may use. The rest is reserved for API keys.',
    }),
  }),
  retrieval: section({
    memoryMb: count(
      'Memory for the search indexes of recently asked agents, per process. An agent needs about 0.7 MiB per 1,000 chunks. Used by the built-in engine.',
      'MiB',
      1,
      65_536,
    ),
    vectorMemoryMb: count(
      'Memory for the vectors of recently asked agents, per process, if an embedding model is configured. 1,000 chunks need about 1 MiB at 1,024 dimensions.',
      'MiB',
      1,
      65_536,
    ),
    maxVectorChunks: count(
      'Maximum number of chunks of an agent with vectors. A larger agent is searched by words alone, because each question is compared with all vectors of the agent.',
      'chunks',
      1,
      1_000_000,
    ),
    maxContextTokens: count(
      'Maximum number of tokens, as Cadre estimates them, in the passages behind one answer.',
      'tokens',
      100,
      1_000_000,
    ),
  }),
  uploads: section({
    urlTtlSeconds: count('How long an upload URL stays valid.', 'seconds', 1, 7 * DAY_SECONDS),
    abandonedAfterSeconds: count(
      'Age at which an unregistered upload is deleted.',
      'seconds',
      1,
      365 * DAY_SECONDS,
    ),
    maxBytes: count('Maximum size of an uploaded file.', 'bytes', 1, limits.files.bytes),
    openBytes: count(
      "Maximum total size of a workspace's unregistered uploads.",
      'bytes',
      1,
      1024 * 1024 * MIB,
    ),
  }),
  crawl: section({
    resolve: Type.Unsafe<Record<string, string>>({
      type: 'object',
      propertyNames: origins,
      additionalProperties: origins,
      expects: 'a JSON object that maps bare origins to bare origins',
      description:
        'Maps an origin to the origin to connect to instead, such as {"https://docs.acme.com": "http://127.0.0.1:9000"}, for split-horizon networks. Replaced as a whole, never merged.',
    }),
    timeoutMs: count(
      'Maximum time for one fetch, including robots.txt and redirects. The time in the queue for a host does not count.',
      'milliseconds',
      1,
      10 * 60_000,
    ),
    maxBytes: count('Maximum size of a page. Larger pages fail.', 'bytes', 1, 256 * MIB),
    maxRedirects: count(
      'Maximum number of redirects to follow, including redirects in the markup of a page.',
      'redirects',
      0,
      50,
    ),
    userAgent: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[!-~]([ -~]*[!-~])?$',
      expects: '1 to 200 printable ASCII characters',
      description: 'User agent of the crawler. The part before the slash is its name in robots.txt.',
    }),
    perHostConcurrency: count(
      'Maximum number of concurrent fetches from one host, per worker process.',
      'fetches',
      1,
      100,
    ),
    perHostDelayMs: count('Minimum pause between two fetches from one host.', 'milliseconds', 0, HOUR_MS),
    siteDelayMs: count(
      'Pause between two fetches from the host of a whole site, over all processes, unless its robots.txt has a `crawl-delay`.',
      'milliseconds',
      0,
      30_000,
    ),
    goneAfterSeconds: count(
      'Minimum time between two readings of a whole site that both find a page vanished, before its source is deleted.',
      'seconds',
      0,
      365 * DAY_SECONDS,
    ),
  }),
  webhooks: section({
    timeoutMs: count(
      'Maximum time for one attempt to send a message to a webhook.',
      'milliseconds',
      1,
      60_000,
    ),
    disableAfterHours: count(
      'Time without a successful delivery after which a webhook is disabled.',
      'hours',
      1,
      365 * 24,
    ),
    keepDays: orNull(
      count(
        'Age at which delivered and failed messages to webhooks are deleted. null: never.',
        'days',
        1,
        36_500,
      ),
    ),
    allowPrivateAddresses: Type.Boolean({
      expects: 'true or false',
      description:
        'Whether webhooks may point to this machine or a private network. Anyone with an API key can then make Cadre send requests there.',
    }),
  }),
  retrain: section({
    intervalSeconds: count(
      'How often agents with auto-retrain are retrained.',
      'seconds',
      1,
      365 * DAY_SECONDS,
    ),
  }),
  audit: section({
    keepDays: orNull(
      count('Age at which rows of the audit log are deleted. null: never.', 'days', 1, 36_500),
    ),
  }),
  contacts: section({
    keepDays: orNull(
      count('Age at which contact details of visitors are deleted. null: never.', 'days', 1, 36_500),
    ),
  }),
  jobs: section({
    keepDays: orNull(
      count(
        'Age at which jobs that have ended are deleted, with their tasks. null: never.',
        'days',
        1,
        36_500,
      ),
    ),
    maxAttempts: count('Maximum number of attempts before a task fails for good.', 'attempts', 1, 100),
    backoffBaseMs: count(
      'Pause before the second attempt. It doubles before each further attempt.',
      'milliseconds',
      0,
      24 * HOUR_MS,
    ),
    backoffMaxMs: count('Maximum pause between two attempts.', 'milliseconds', 0, longestSettings.backoffMs),
    stalledAfterSeconds: count(
      'Lease of a running attempt: time without a heartbeat after which it counts as lost.',
      'seconds',
      1,
      3600,
    ),
    windowPerAgent: count(
      'Maximum number of tasks of one agent in the queue or in progress.',
      'tasks',
      1,
      10_000,
    ),
    window: count(
      'Maximum number of tasks in the queue or in progress, over all agents. Messages to webhooks have a window of the same size. A workspace may use as many places as are still free, and always one.',
      'tasks',
      1,
      10_000,
    ),
    maxDeliveries: count(
      'Maximum number of deliveries of one attempt, after which it becomes a dead letter.',
      'deliveries',
      1,
      100,
    ),
  }),
  actors: section({
    maxActive: count('Maximum number of agents kept in memory by this process.', 'actors', 1, 1_000_000),
    idleSeconds: count('Idle time after which an agent is evicted from memory.', 'seconds', 1, DAY_SECONDS),
    mailboxCapacity: count(
      'Maximum number of requests waiting for one agent. Further requests get 503.',
      'messages',
      1,
      1_000_000,
    ),
  }),
  chat: chatSettings,
  auth: section({
    cacheTtlSeconds: count(
      'How long an API key with its plan, and an agent with its settings for visitors, are cached. 0: the database is read for every request.',
      'seconds',
      0,
      5,
    ),
  }),
  mail: mailSettings,
  signIn: signInSettings,
  ocr: section({
    languages: Type.Array(Type.String({ pattern: '^[a-z]{3}(_[a-z]{3,4})?$' }), {
      uniqueItems: true,
      maxItems: 10,
      expects: 'a list of names of language data, such as eng or chi_sim',
      description:
        "Languages in which workers recognise the text of scanned PDF pages and in the agent's own (setting `language`): names of installed packages `@tesseract.js-data/*`. Each language more takes more time. []: scanned pages are not recognised.",
    }),
    maxPages: count('Maximum number of pages of one file whose text is recognised.', 'pages', 1, 2000),
  }),
  workers: section({
    threads: orNull(
      count(
        'Number of threads for pages, and the same number for files. Each kind has one more thread for workspaces that have none. null: one per core.',
        'threads',
        1,
        256,
      ),
    ),
    slots: count(
      'Maximum number of pages, and of files, in progress per worker process. A workspace may use as many slots as are still free.',
      'slots',
      1,
      1000,
    ),
    taskTimeoutMs: count('Maximum time for one attempt of a task.', 'milliseconds', 1, HOUR_MS),
    threadMemoryMb: count('Maximum heap of one thread. Buffers may take another 512 MiB.', 'MiB', 16, 65_536),
    port: orNull(
      count(
        'TCP port on which a worker process serves /livez, /readyz and /metrics, on the address HOST. null: none.',
        'TCP port',
        0,
        65_535,
      ),
    ),
    idleExitSeconds: count(
      "Idle time after which the local queue's worker process exits.",
      'seconds',
      1,
      DAY_SECONDS,
    ),
  }),
  operations: section({
    port: orNull(
      count(
        'TCP port on which an API process serves /livez, /readyz and /metrics, on the address HOST. The API port then serves /livez and /readyz, but not /metrics. null: the API port serves all three.',
        'TCP port',
        0,
        65_535,
      ),
    ),
  }),
  tracing: tracingSettings,
  shutdown: section({
    deadlineMs: count('Maximum time for a graceful shutdown.', 'milliseconds', 1, 10 * 60_000),
  }),
});

/** All settings of a process, as returned by `loadSettings`: complete, valid and frozen. */
export type Settings = Static<typeof settingsSchema>;
