import { dirname } from 'node:path';
import { databaseUrlOf, fileOf, isEmbedded } from '../config/database-url.js';
import type { Settings } from '../config/settings.schema.js';
import type { PluginKind } from '../core/ports/plugin.port.js';
import { PluginNotStarted } from '../plugins/plugin-error.js';
import { tooFewDescriptors } from './descriptor-limit.js';
import { withoutSecrets } from './log-output.js';
import { StartFailed, type Station } from './start-failed.js';

type Part = Station | PluginKind;

/** What the errors of systems, drivers and databases have in common. */
interface Fault {
  code: string;
  message: string;
}

type Advice = (settings: Settings, fault: Fault) => string;

/** In SQLite's words: primary result codes (https://sqlite.org/rescode.html). */
const sqliteCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

const databaseFile = (settings: Settings): string => fileOf(databaseUrlOf(settings));
const databaseFolder = (settings: Settings): string =>
  isEmbedded(databaseUrlOf(settings)) ? dirname(databaseFile(settings)) : settings.dataDir;
const databaseServer = (settings: Settings): string => {
  const { hostname, port } = new URL(databaseUrlOf(settings));
  return `${hostname}:${port || '3306'}`;
};

const notWritable: Advice = (settings, { code }) =>
  `The data folder ${databaseFolder(settings)} is not writable (${code}). Give this user write access, or set DATA_DIR to another folder.`;
const noFolder: Advice = (settings, { code }) =>
  `${databaseFolder(settings)} is not a folder (${code}). Set DATA_DIR to another folder.`;
const noPlace: Advice = (settings, { code }) =>
  `The data folder ${databaseFolder(settings)} cannot be made (${code}). Set DATA_DIR to another folder.`;
const diskFull: Advice = (settings) =>
  `The disk of ${databaseFolder(settings)} is full. Free some space, or set DATA_DIR to a folder on another disk.`;
const damaged: Advice = (settings) =>
  `The database file ${databaseFile(settings)} is damaged. Move it away and restore a backup.`;
const noAnswer: Advice = (settings, { code }) =>
  `The database server at ${databaseServer(settings)} does not answer (${code}). Start it, or correct DATABASE_URL.`;
const refused: Advice = () =>
  'The database server refused the login. Check the user name and password in DATABASE_URL, and that the user has access to the database.';

const folders: Record<string, Advice> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: notWritable,
  ENOENT: noPlace,
  EEXIST: noFolder,
  ENOTDIR: noFolder,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
};

const advice: Record<Part, Record<string, Advice>> = {
  database: {
    ...folders,
    SQLITE_READONLY: notWritable,
    SQLITE_CANTOPEN: notWritable,
    SQLITE_FULL: diskFull,
    SQLITE_CORRUPT: damaged,
    SQLITE_NOTADB: (settings) =>
      `${databaseFile(settings)} is not a SQLite database. Restore a backup, or correct DATABASE_URL.`,
    SQLITE_BUSY: (settings) =>
      `The database file ${databaseFile(settings)} is locked by another program. Stop that program and try again.`,
    ECONNREFUSED: noAnswer,
    ECONNRESET: noAnswer,
    ETIMEDOUT: noAnswer,
    EHOSTUNREACH: noAnswer,
    ENETUNREACH: noAnswer,
    ENOTFOUND: noAnswer,
    EAI_AGAIN: noAnswer,
    PROTOCOL_CONNECTION_LOST: noAnswer,
    ER_ACCESS_DENIED_ERROR: refused,
    ER_ACCESS_DENIED_NO_PASSWORD_ERROR: refused,
    ER_DBACCESS_DENIED_ERROR: refused,
    ER_BAD_DB_ERROR: (settings) =>
      `The database server at ${databaseServer(settings)} does not have this database. Create it, or correct DATABASE_URL.`,
  },
  storage: folders,
  queue: {},
  model: {},
  embedding: {},
  retrieval: {},
  workerAddress: {
    EADDRINUSE: ({ http, workers }) =>
      `Port ${workers.port} of ${http.host} is already in use. Set CADRE_WORKERS_PORT of this worker to another port, or unset it.`,
  },
  address: {
    EADDRINUSE: ({ http }) =>
      `Port ${http.port} of ${http.host} is already in use. Stop the program that uses it, or set PORT to another port.`,
    EADDRNOTAVAIL: ({ http }) =>
      `This machine does not have the address ${http.host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    EACCES: ({ http }) =>
      `This user is not allowed to listen on port ${http.port}. Set PORT to 1024 or higher.`,
    ENOTFOUND: ({ http }) =>
      `The host name ${http.host} does not resolve. Set HOST to an address of this machine.`,
    EAI_AGAIN: ({ http }) =>
      `The host name ${http.host} does not resolve. Set HOST to an address of this machine.`,
  },
};

/** Wherever it happens: the process may not open another file. */
const everywhere: Record<string, Advice> = {
  EMFILE: () => tooFewDescriptors() ?? 'This process has too many open files (EMFILE). Raise the limit.',
  ENFILE: () => 'This machine has too many open files (ENFILE). Raise its limit, or stop other programs.',
};

const names: Record<Part, string> = {
  database: 'The database cannot be used',
  storage: 'The file storage cannot be used',
  queue: 'The queue cannot be used',
  model: 'The model cannot be used',
  embedding: 'The embedding model cannot be used',
  retrieval: 'The search engine cannot be used',
  address: 'The service cannot listen',
  workerAddress: 'The worker cannot listen on its port',
};

/** Why the process could not start: one sentence, with what to do about it. Holds no credentials. */
export function startProblem(error: unknown, settings: Settings): string {
  const part = partOf(error);
  const faults = faultsOf(part ? (error as Error).cause : error);
  for (const fault of faults) {
    const say = everywhere[fault.code] ?? (part && advice[part][fault.code]);
    if (say) return say(settings, fault);
  }
  const message = withoutSecrets(faults[0]?.message ?? String(error)).replace(/[.\s]*$/, '');
  const plugin = error instanceof PluginNotStarted ? ` (plugin "${error.plugin}")` : '';
  const what = part ? `${names[part]}${plugin}` : 'The process cannot start';
  return `${what}: ${message}. LOG_LEVEL=debug shows where it happened.`;
}

function partOf(error: unknown): Part | null {
  if (error instanceof StartFailed) return error.station;
  return error instanceof PluginNotStarted ? error.kind : null;
}

/** The error, and what lies below it: drivers wrap the error that says most. */
function faultsOf(error: unknown, depth = 0): Fault[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, errcode, message, cause, original } = error as Record<string, unknown>;
  const sqlite = typeof errcode === 'number' ? sqliteCodes[errcode & 255] : undefined;
  const known = sqlite ?? (typeof code === 'string' ? code : '');
  return [
    { code: known, message: String(message) },
    ...faultsOf(cause, depth + 1),
    ...faultsOf(original, depth + 1),
  ];
}
