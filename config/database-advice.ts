import { dirname } from 'node:path';
import { databaseUrlOf, fileOf, isEmbedded } from './database-url.js';
import { type Advice, faultsOf } from './faults.js';
import type { Settings } from './settings.schema.js';

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
  `The data folder ${databaseFolder(settings)} cannot be created (${code}). Set DATA_DIR to another folder.`;
const diskFull: Advice = (settings) =>
  `The disk of ${databaseFolder(settings)} is full. Free some space, or set DATA_DIR to a folder on another disk.`;
const damaged: Advice = (settings) =>
  `The database file ${databaseFile(settings)} is damaged. Move it away and restore a backup.`;
const noResponse: Advice = (settings, { code }) =>
  `The database server at ${databaseServer(settings)} does not answer (${code}). Start it, or correct DATABASE_URL.`;
const hint =
  'ssl-mode=VERIFY_IDENTITY to DATABASE_URL, with ssl-ca if a private authority signed its certificate';
/** MariaDB also refuses the login if it requires TLS, but does not give that reason. */
const refused: Advice = (settings) => {
  const hasMode = new URL(databaseUrlOf(settings)).searchParams.has('ssl-mode');
  const advice =
    'Check the user name and password in DATABASE_URL, and that the user has access to the database.';
  return `The database server refused the login. ${advice}${hasMode ? '' : ` If it requires TLS, add ${hint}.`}`;
};

/** Advice about the data folder, by error code. */
export const folderAdvice: Record<string, Advice> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: notWritable,
  ENOENT: noPlace,
  EEXIST: noFolder,
  ENOTDIR: noFolder,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
};

/** Advice about the database, a file or a server, by error code. */
export const databaseAdvice: Record<string, Advice> = {
  ...folderAdvice,
  SQLITE_READONLY: notWritable,
  SQLITE_CANTOPEN: notWritable,
  SQLITE_FULL: diskFull,
  SQLITE_CORRUPT: damaged,
  SQLITE_NOTADB: (settings) =>
    `${databaseFile(settings)} is not a SQLite database. Restore a backup, or correct DATABASE_URL.`,
  SQLITE_BUSY: (settings) =>
    `The database file ${databaseFile(settings)} is locked by another program. Stop that program and try again.`,
  ECONNREFUSED: noResponse,
  ECONNRESET: noResponse,
  ETIMEDOUT: noResponse,
  EHOSTUNREACH: noResponse,
  ENETUNREACH: noResponse,
  ENOTFOUND: noResponse,
  EAI_AGAIN: noResponse,
  PROTOCOL_CONNECTION_LOST: noResponse,
  ER_ACCESS_DENIED_ERROR: refused,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: refused,
  ER_DBACCESS_DENIED_ERROR: refused,
  DATABASE_URL_INVALID: (_settings, { message }) => message,
  HANDSHAKE_SSL_ERROR: (settings, { message }) =>
    `The TLS handshake with the database server at ${databaseServer(settings)} failed: ${message}. Correct ssl-mode, ssl-ca, ssl-cert or ssl-key in DATABASE_URL.`,
  HANDSHAKE_NO_SSL_SUPPORT: (settings) =>
    `The database server at ${databaseServer(settings)} does not offer TLS. Enable TLS there, or set another ssl-mode in DATABASE_URL.`,
  ER_SECURE_TRANSPORT_REQUIRED: (settings) =>
    `The database server at ${databaseServer(settings)} accepts only TLS connections. Add ${hint}.`,
  DATABASE_NEWER: (_settings, { message }) =>
    `The database was migrated by a newer version of Cadre (${message}). Start that version or a later one, or restore a backup made before the upgrade.`,
  DATABASE_TOO_OLD: (_settings, { message }) =>
    `The database was made by a version before the first release (${message}). Run \`migrate\` of commit fd6b7601, then start this version.`,
  ER_BAD_DB_ERROR: (settings) =>
    `The database server at ${databaseServer(settings)} does not have this database. Create it, or correct DATABASE_URL.`,
};

/** Returns why the database cannot be used and what to do, without credentials; null for an unknown error. */
export function databaseProblem(error: unknown, settings: Settings): string | null {
  for (const fault of faultsOf(error)) {
    const advise = databaseAdvice[fault.code];
    if (advise) return advise(settings, fault);
  }
  return null;
}
