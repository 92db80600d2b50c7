import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { kindNames, type PluginKind } from '../core/ports/plugin.port.js';
import type { JsonObject } from '../core/schemas/json.js';
import { limits } from '../core/schemas/limits.js';
import { models } from '../core/schemas/models.js';
import { automatic } from './plugin-defaults.js';

/*
 * Every setting: type, unit, bounds and meaning. Defaults are data (default.json). Annotations beside JSON Schema's own words:
 * `unit`, `expects` (the value in words, where type and bounds do not say it), `env` (the environment name, where it is
 * not derived from the key); `writeOnly` marks secrets.
 */

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
const MIB = 1_048_576;

const count = (description: string, unit: string, minimum: number, maximum: number) =>
  Type.Integer({ description, unit, minimum, maximum });

/** For a setting whose environment name is its own instead of derived. */
const named = <T extends TSchema>(env: string, schema: T): T => ({ ...schema, env });

const oneOf = <T extends string>(description: string, words: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words], description });

const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

const section = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const origins = {
  type: 'string',
  format: 'origin',
} as const;

/** Null stands for "by the environment" in files; loaded settings always hold a name. */
const plugin = (kind: PluginKind) =>
  section({
    use: Type.Unsafe<string>({
      type: ['string', 'null'],
      minLength: 1,
      expects: 'the name of a built-in plugin or of a package, or a path',
      description: `Which plugin is the ${kind}. null: ${automatic(kind)}.`,
    }),
    options: Type.Unsafe<JsonObject>({
      type: 'object',
      writeOnly: true,
      expects: 'a JSON object',
      description: `Options of the ${kind} plugin, checked with its own schema. Replaced as a whole, never merged.`,
    }),
  });

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export const roles = ['api', 'worker'] as const;

export const settingsSchema = section({
  http: section({
    port: named('PORT', count('TCP port to listen on; 0 takes any free one.', 'TCP port', 0, 65_535)),
    host: Type.String({
      env: 'HOST',
      minLength: 1,
      pattern: '^[A-Za-z0-9.:_-]+$',
      expects: 'a host name or an IP address, without a port',
      description: 'Address to listen on. The default is reachable from this machine only.',
    }),
    publicUrl: orNull(
      Type.String({
        format: 'origin',
        expects: 'a bare origin such as https://agents.acme.com',
        description:
          'Origin under which clients reach this API, for upload URLs. null: the address at which their connection arrives.',
      }),
    ),
    allowedHosts: Type.Array(
      Type.String({ pattern: '^(https?://)?(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$' }),
      {
        uniqueItems: true,
        expects:
          'a list of hosts such as agents.acme.com or localhost:3000, with https:// in front where clients use TLS',
        description:
          'Hosts that clients may name in their Host header to get upload URLs that begin with it, instead of `http.publicUrl`. Without a port, any port.',
      },
    ),
    requestTimeoutMs: count(
      'Longest time in which a request must have arrived in full.',
      'milliseconds',
      10,
      HOUR_MS,
    ),
    bodyMemoryMb: count(
      'Memory for bodies from their first byte to the end of the work, and for answers that clients have not taken yet. One workspace has at most half of it; what does not fit is answered 503.',
      'MiB',
      1,
      65_536,
    ),
    maxConnections: count(
      'Most connections of clients at a time. Beyond it, the one that has gone without a request for longest is closed for each new one.',
      'connections',
      10,
      1_000_000,
    ),
  }),
  dataDir: Type.String({
    env: 'DATA_DIR',
    minLength: 1,
    expects: 'a folder',
    description: 'Folder for the files of this installation; relative to the working directory.',
  }),
  roles: Type.Array(Type.Unsafe<(typeof roles)[number]>({ type: 'string', enum: [...roles] }), {
    env: 'ROLES',
    minItems: 1,
    uniqueItems: true,
    expects: `a list without repetition of ${roles.join(', ')}`,
    description: 'What this process does: answer requests, work on tasks, or both.',
  }),
  logLevel: named('LOG_LEVEL', oneOf('Least severe log lines to write.', logLevels)),
  bootstrapApiKey: orNull(
    Type.String({
      env: 'BOOTSTRAP_API_KEY',
      writeOnly: true,
      minLength: 16,
      maxLength: 512,
      pattern: '^[!-~]+$',
      expects: '16 to 512 printable ASCII characters without spaces',
      description:
        'API key of the workspace that the first start makes. null: one is made up and printed once.',
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
        description: 'Where the data lives. null: the SQLite file cadre.sqlite in the data folder.',
      }),
    ),
    poolSize: count(
      'Most open connections of this process (MySQL); a third of them for reads.',
      'connections',
      1,
      1000,
    ),
    statementTimeoutMs: count('Longest time for one statement (MySQL).', 'milliseconds', 1, HOUR_MS),
  }),
  plugins: section(
    Object.fromEntries(kindNames.map((kind) => [kind, plugin(kind)])) as Record<
      PluginKind,
      ReturnType<typeof plugin>
    >,
  ),
  models: section({
    default: oneOf(
      'Model of agents that name none, or one that their plan does not include any more. The model plugin maps the name to what its provider calls it.',
      models,
    ),
  }),
  retrieval: section({
    memoryMb: count(
      'Memory of this process for the indexes of the agents that were asked last; an agent takes about 0.7 MiB for each 1,000 chunks. For the built-in engine.',
      'MiB',
      1,
      65_536,
    ),
    maxContextTokens: count(
      'Most tokens of the passages that one answer is made from, as Cadre estimates them.',
      'tokens',
      100,
      1_000_000,
    ),
  }),
  uploads: section({
    urlTtlSeconds: count('How long an upload URL can be used.', 'seconds', 1, 7 * DAY_SECONDS),
    abandonedAfterSeconds: count(
      'Age at which an upload that was never registered is removed.',
      'seconds',
      1,
      365 * DAY_SECONDS,
    ),
    maxBytes: count('Largest file that can be uploaded.', 'bytes', 1, limits.files.bytes),
    openBytes: count(
      'Most that the uploads of a workspace hold before they are registered.',
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
        'Origins to the origins really dialled, e.g. {"https://docs.acme.com": "http://127.0.0.1:9000"}; for split-horizon networks. Replaced as a whole, never merged.',
    }),
    timeoutMs: count(
      'Longest time for one fetch in all, robots.txt and redirects included; waiting for the turn at a host does not count.',
      'milliseconds',
      1,
      10 * 60_000,
    ),
    maxBytes: count('Largest body of a page; a larger one fails.', 'bytes', 1, 256 * MIB),
    maxRedirects: count('Most redirects to follow for one fetch.', 'redirects', 0, 50),
    userAgent: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[!-~]([ -~]*[!-~])?$',
      expects: '1 to 200 printable ASCII characters',
      description: 'User agent of the crawler. What stands before the slash is its name in robots.txt.',
    }),
    perHostConcurrency: count('Most fetches from one host at a time, per worker process.', 'fetches', 1, 100),
    perHostDelayMs: count('Pause between two fetches from one host.', 'milliseconds', 0, HOUR_MS),
  }),
  retrain: section({
    intervalSeconds: count(
      'How often agents with auto-retrain are retrained.',
      'seconds',
      1,
      365 * DAY_SECONDS,
    ),
  }),
  jobs: section({
    maxAttempts: count('Attempts of a task before it fails for good.', 'attempts', 1, 100),
    backoffBaseMs: count(
      'Pause before the second attempt; it doubles with each further one.',
      'milliseconds',
      0,
      24 * HOUR_MS,
    ),
    backoffMaxMs: count('Longest pause between two attempts.', 'milliseconds', 0, 24 * HOUR_MS),
    stalledAfterSeconds: count(
      'Silence of a worker after which its attempt counts as lost.',
      'seconds',
      1,
      3600,
    ),
    windowPerAgent: count('Most tasks of one agent that are with the queue or a worker.', 'tasks', 1, 10_000),
    window: count(
      'Tasks of all agents that are with the queue or a worker; a workspace has at most as many as are left, but one in any case.',
      'tasks',
      1,
      10_000,
    ),
    maxDeliveries: count(
      'How often the queue delivers one attempt before it is a dead letter.',
      'deliveries',
      1,
      100,
    ),
  }),
  actors: section({
    maxActive: count('Most agents kept in memory by this process.', 'actors', 1, 1_000_000),
    idleSeconds: count('Idle time after which an agent leaves memory.', 'seconds', 1, DAY_SECONDS),
    mailboxCapacity: count(
      'Most messages that wait for one agent; further ones are answered 503.',
      'messages',
      1,
      1_000_000,
    ),
  }),
  chat: section({
    deadlineMs: count('Longest time for one answer.', 'milliseconds', 1000, HOUR_MS),
    busyWaitMs: count(
      'How long a message waits while an earlier one of its conversation is answered; then it is answered 503.',
      'milliseconds',
      0,
      HOUR_MS,
    ),
    keepAliveMs: count(
      'Pause in an event stream after which a comment is sent, so that proxies do not cut it.',
      'milliseconds',
      100,
      HOUR_MS,
    ),
    toolResultTtlSeconds: count(
      'How long a call of a client action waits for its result.',
      'seconds',
      1,
      DAY_SECONDS,
    ),
    historyTokens: count(
      'What a model is told of what was said before; an estimate of tokens.',
      'tokens',
      0,
      1_000_000,
    ),
    endedAfterSeconds: count(
      'Silence after which a conversation counts as ended; it can still be continued.',
      'seconds',
      1,
      365 * DAY_SECONDS,
    ),
    retentionDays: orNull(
      count('Days of silence after which a conversation is deleted. null: never.', 'days', 1, 36_500),
    ),
  }),
  auth: section({
    cacheTtlSeconds: count(
      'How long an API key and its plan may be remembered; 0 asks the database each time.',
      'seconds',
      0,
      5,
    ),
  }),
  workers: section({
    threads: orNull(count('Threads for extraction. null: one per core.', 'threads', 1, 256)),
    slots: count(
      'Pages, and files, at a time per worker process; a workspace has at most as many of each as are left.',
      'slots',
      1,
      1000,
    ),
    taskTimeoutMs: count('Longest time for one attempt of a task.', 'milliseconds', 1, HOUR_MS),
    threadMemoryMb: count('Most heap of one thread; buffers may take 512 MiB more.', 'MiB', 16, 65_536),
    idleExitSeconds: count(
      'Idle time after which the worker process of the local queue ends.',
      'seconds',
      1,
      DAY_SECONDS,
    ),
  }),
  shutdown: section({
    deadlineMs: count('Longest time for a graceful stop.', 'milliseconds', 1, 10 * 60_000),
  }),
});

/** All settings of a process, as `loadSettings` returns them: complete, valid, frozen. */
export type Settings = Static<typeof settingsSchema>;
