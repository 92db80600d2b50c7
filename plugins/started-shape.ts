import type { PluginKind, Ports } from '../core/ports/plugin.port.js';
import { isObject } from './plugin-shape.js';

type Methods<Port> = {
  [M in keyof Port]-?: NonNullable<Port[M]> extends (...args: never[]) => unknown ? M : never;
}[keyof Port];

/** Methods of each port; true if required, false if optional. */
export const methods = {
  storage: {
    signUpload: true,
    sealUpload: true,
    open: true,
    put: true,
    get: true,
    delete: true,
    list: false,
    receive: false,
    health: true,
  },
  queue: {
    startWorkers: false,
    publish: true,
    onEvent: true,
    onTask: true,
    emit: true,
    depth: true,
    health: true,
  },
  model: { describe: true, admit: true, answer: true, health: true, probe: true },
  embedding: { embed: true, health: true, probe: true },
  retrieval: { search: true, forget: true, nearest: false, health: true, memory: false },
  channel: {
    verify: true,
    isSigned: true,
    parse: true,
    inspect: true,
    connect: true,
    disconnect: true,
    renew: true,
    publish: true,
    clear: true,
    profile: true,
    send: true,
    privateReply: true,
    recent: true,
    health: true,
  },
} as const satisfies { [K in PluginKind]: Record<Methods<Ports[K]>, boolean> };

function missingMethods(value: Record<string, unknown>, wanted: Record<string, boolean>): string[] {
  const faults: string[] = [];
  for (const [name, isRequired] of Object.entries(wanted)) {
    const found = value[name];
    if (found === undefined && !isRequired) continue;
    if (typeof found !== 'function')
      faults.push(`${name} ${found === undefined ? 'is missing' : 'is not a function'}`);
  }
  return faults;
}

/** Checks the other properties of a port. Each function returns the problems. */
const fields: { [K in PluginKind]?: (port: Record<string, unknown>) => string[] } = {
  storage: ({ uploadOrigin }) =>
    uploadOrigin === undefined || isOrigin(uploadOrigin) ? [] : ['uploadOrigin is not a bare origin'],
  queue: ({ capabilities }) =>
    ['durable', 'remoteWorkers']
      .filter((name) => !isObject(capabilities) || typeof capabilities[name] !== 'boolean')
      .map((name) => `capabilities.${name} is not true or false`),
  embedding({ model }) {
    if (model === null) return [];
    if (!isObject(model)) return ['model is neither null nor an object'];
    const { space, batch, questionMs, leastSimilarity, answeringSimilarity, languages } = model;
    const isName = typeof space === 'string' && /^[!-~]([ -~]{0,198}[!-~])?$/.test(space);
    return [
      ...(isName ? [] : ['model.space is not a name of 1 to 200 printable characters']),
      ...(Number.isInteger(batch) && Number(batch) > 0 ? [] : ['model.batch is not a whole number above 0']),
      ...(Number(questionMs) > 0 ? [] : ['model.questionMs is not a number above 0']),
      ...(typeof leastSimilarity === 'number' ? [] : ['model.leastSimilarity is not a number']),
      ...(['number', 'undefined'].includes(typeof answeringSimilarity)
        ? []
        : ['model.answeringSimilarity is not a number']),
      ...(languages === undefined || (Array.isArray(languages) && languages.every((one) => isLanguage(one)))
        ? []
        : ['model.languages is not a list of codes such as "en"']),
    ];
  },
  retrieval({ feed }) {
    if (feed === null) return [];
    if (!isObject(feed)) return ['feed is neither null nor an object'];
    return missingMethods(feed, { known: true, apply: true }).map((fault) => `feed.${fault}`);
  },
  channel: ({ isConfigured }) =>
    typeof isConfigured === 'boolean' ? [] : ['isConfigured is not true or false'],
};

const isLanguage = (code: unknown): boolean => typeof code === 'string' && /^[a-z]{2,3}$/.test(code);

const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;

/** Returns the problems with the result of a plugin's `start`; an empty list if it is valid. */
export function startedFaults(kind: PluginKind, started: unknown): string[] {
  if (!isObject(started)) return ['it is not an object'];
  const { port, stop } = started;
  const faults = typeof stop === 'function' ? [] : ['stop is not a function'];
  if (!isObject(port)) return [...faults, 'port is not an object'];
  const ofPort = [...missingMethods(port, methods[kind]), ...(fields[kind]?.(port) ?? [])];
  return [...faults, ...ofPort.map((fault) => `port.${fault}`)];
}
