import { databaseAdvice, folderAdvice } from '../config/database-advice.js';
import { type Advice, faultsOf } from '../config/faults.js';
import type { Settings } from '../config/settings.schema.js';
import { byKind, type PluginKind, pluginKinds } from '../core/ports/plugin.port.js';
import { PluginNotStarted } from '../plugins/plugin-error.js';
import { tooFewDescriptors } from './descriptor-limit.js';
import { withoutSecrets } from './log-output.js';
import { StartFailed, type Station } from './start-failed.js';

type Part = Station | PluginKind;

const advice: Partial<Record<Part, Record<string, Advice>>> = {
  database: databaseAdvice,
  storage: folderAdvice,
  workerAddress: {
    EADDRINUSE: ({ http, workers }) =>
      `Port ${workers.port} of ${http.host} is already in use. Set CADRE_WORKERS_PORT of this worker to another port, or unset it.`,
  },
  operationsAddress: {
    EADDRINUSE: ({ http, operations }) =>
      `Port ${operations.port} of ${http.host} is already in use. Set CADRE_OPERATIONS_PORT to another port, or unset it.`,
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

/** Advice about errors that may occur at any step: too many open files. */
const everywhere: Record<string, Advice> = {
  EMFILE: () => tooFewDescriptors() ?? 'This process has too many open files (EMFILE). Raise the limit.',
  ENFILE: () => 'This machine has too many open files (ENFILE). Raise its limit, or stop other programs.',
};

const names: Record<Part, string> = {
  database: 'The database cannot be used',
  ...byKind((kind) => `${pluginKinds[kind].title} cannot be used`),
  address: 'The service cannot listen',
  operationsAddress: 'The service cannot listen on its port for operations',
  workerAddress: 'The worker cannot listen on its port',
};

/** Returns why the process could not start and what to do, without credentials. */
export function startProblem(error: unknown, settings: Settings): string {
  const part = partOf(error);
  const faults = faultsOf(part ? (error as Error).cause : error);
  for (const fault of faults) {
    const advise = everywhere[fault.code] ?? (part && advice[part]?.[fault.code]);
    if (advise) return advise(settings, fault);
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
