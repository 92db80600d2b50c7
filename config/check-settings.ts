import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ipaddr from 'ipaddr.js';
import { closestName } from './closest-name.js';
import { derivedName, type SettingKey, settingKeys, settingPaths } from './setting-keys.js';
import { settingsSchema } from './settings.schema.js';

/** A problem with one setting, without secrets. */
export interface Violation {
  /** Path of the setting or section, or an unknown name. */
  path: string;
  /** Completes a sentence that starts with the path. */
  problem: string;
}

const parsedUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const isOrigin = (text: string): boolean => /^https?:/.test(text) && parsedUrl(text)?.origin === text;

const isDatabaseUrl = (text: string): boolean => {
  if (text.startsWith('sqlite:')) return !['', ':memory:'].includes(text.slice('sqlite:'.length));
  const url = text.startsWith('mysql://') ? parsedUrl(text) : null;
  return url !== null && url.hostname !== '' && url.pathname.length > 1;
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const isOtlpUrl = (text: string): boolean => {
  const url = /^https?:\/\//.test(text) ? parsedUrl(text) : null;
  return url !== null && url.username + url.password + url.search + url.hash === '';
};

const isSmtpUrl = (text: string): boolean => {
  const url = /^smtps?:\/\//.test(text) ? parsedUrl(text) : null;
  return url !== null && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.search + url.hash === '';
};

const isIssuer = (text: string): boolean => {
  const url = parsedUrl(text);
  if (url === null || url.username + url.password + url.search + url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
};

/** An address, alone or after a name. */
const isMailbox = (text: string): boolean =>
  /^(?:[^<>@"\p{Cc}]{0,100}<[^\s<>@]{1,64}@[^\s<>@]{1,190}>|[^\s<>@]{1,64}@[^\s<>@]{1,190})$/u.test(text);

const isNetwork = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) || ipaddr.isValidCIDR(text);

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  // A test validates the schema. Here, compiling the meta-schema would take longer than compiling the schema.
  validateSchema: false,
  // The validator runs only a few times, so optimising its code would take longer than it saves.
  code: { optimize: false },
});
ajv.addVocabulary(['env', 'unit', 'expects']);
ajv.addFormat('origin', isOrigin);
ajv.addFormat('otlp-url', isOtlpUrl);
ajv.addFormat('cidr', isNetwork);
ajv.addFormat('smtp-url', isSmtpUrl);
ajv.addFormat('issuer', isIssuer);
ajv.addFormat('mailbox', isMailbox);
ajv.addFormat('database-url', isDatabaseUrl);
const validate = ajv.compile(settingsSchema);

const keysByPath = new Map(settingKeys.map((key) => [key.path, key]));
const namesOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

function keyAt(names: readonly string[]): SettingKey | undefined {
  for (let depth = names.length; depth > 0; depth--) {
    const key = keysByPath.get(names.slice(0, depth).join('.'));
    if (key !== undefined) return key;
  }
  return undefined;
}

/**
 * Returns the setting that an unknown name probably means: it may be an environment name, be misspelt or shortened,
 * or belong to another section.
 */
function likelyPath(unknown: string): string | undefined {
  const sameEnv = settingKeys.find((key) => key.env === unknown || derivedName(key.path) === unknown);
  if (sameEnv !== undefined) return sameEnv.path;
  const names = unknown.split('.');
  const last = (names.pop() ?? '').toLowerCase();
  const siblings = [...settingPaths].filter(
    (path) => path.split('.').slice(0, -1).join('.') === names.join('.'),
  );
  const lastName = (path: string): string => (path.split('.').at(-1) ?? '').toLowerCase();
  const close = closestName(last, siblings.map(lastName));
  return (
    siblings.find((path) => lastName(path) === close) ??
    siblings.find((path) => lastName(path).startsWith(last)) ??
    [...settingPaths].find((path) => lastName(path) === last)
  );
}

const unknownSetting = (path: string): Violation => {
  if (settingPaths.has(path)) {
    const objects = path.split('.').map((name) => `{"${name}": `);
    return { path, problem: `must be written nested: ${objects.join('')}…${'}'.repeat(objects.length)}` };
  }
  const meant = likelyPath(path);
  const advice = meant === undefined ? 'Remove it' : `Did you mean ${meant}?`;
  return { path: shown(path).slice(1, -1), problem: `is not a known setting. ${advice}` };
};

/** Describes an invalid name or value in a map of origins. */
function badOrigin(key: SettingKey, data: unknown): Violation {
  const url = parsedUrl(String(data));
  const canBe = url !== null && /^https?:$/.test(url.protocol) ? `; write ${url.origin}` : '';
  return {
    path: key.path,
    problem: `holds ${shown(data)}, which is not a bare origin such as https://docs.acme.com${canBe}`,
  };
}

function valueAt(values: unknown, path: string): unknown {
  let value = values;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function violation(error: ErrorObject, values: unknown): Violation {
  const names = namesOf(error.instancePath);
  const key = keyAt(names);
  if (key === undefined) {
    if (error.keyword === 'additionalProperties')
      return unknownSetting([...names, String(error.params.additionalProperty)].join('.'));
    if (error.keyword === 'required')
      return { path: [...names, String(error.params.missingProperty)].join('.'), problem: 'is missing' };
    return { path: names.join('.') || 'the whole', problem: 'must be a JSON object' };
  }
  const isEntry = names.length > key.path.split('.').length || error.keyword === 'format';
  if (key.type === 'object' && isEntry) return badOrigin(key, error.data);
  const found = key.secret ? '' : `, not ${shown(valueAt(values, key.path))}`;
  return { path: key.path, problem: `must be ${key.expects}${found}` };
}

/**
 * Checks nested settings. If `complete`, all settings must be present. Returns the valid settings by path, and all
 * problems without duplicates.
 */
export function checkSettings(
  values: unknown,
  { complete = false } = {},
): { valid: Map<string, unknown>; violations: Violation[] } {
  validate(values);
  const violations = new Map<string, Violation>();
  for (const error of validate.errors ?? []) {
    // Skip `propertyNames`, which repeats the error about the name itself.
    if (error.keyword === 'propertyNames' || (error.keyword === 'required' && !complete)) continue;
    const found = violation(error, values);
    violations.set(`${found.path} ${found.problem}`, found);
  }
  const wrong = new Set([...violations.values()].map(({ path }) => path));
  const valid = new Map<string, unknown>();
  for (const { path } of settingKeys) {
    const value = valueAt(values, path);
    if (value !== undefined && !wrong.has(path)) valid.set(path, value);
  }
  return { valid, violations: [...violations.values()] };
}

/** Converts settings by path to nested settings. */
export function nested(byPath: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of byPath) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const section = (at[name] ?? {}) as Record<string, unknown>;
      at[name] = section;
      at = section;
    }
    at[last] = value;
  }
  return root;
}

/** Redacts the user info and query of every URL, because they may contain passwords, keys or signatures. */
const withoutCredentials = (text: string): string =>
  text.replace(/\/\/[^\s"]*@/g, '//[redacted]@').replace(/\?[^\s"]*/g, '?[redacted]');

/** Formats a value for a message: as shortened JSON without credentials. */
function shown(value: unknown): string {
  const text = withoutCredentials(JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
