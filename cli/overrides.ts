import type { Overrides } from '../core/ports/store/workspaces.js';
import { CliError } from './cli-error.js';

/** Allowances and features that can be overridden, with parsers of their values. `default` removes an override. */
const settable = {
  'limits.agents': 'count',
  'limits.storageBytes': 'count',
  'limits.visitorMessagesPerDay': 'count',
  'limits.visitorStorageBytes': 'count',
  'limits.sitePages': 'count',
  billingActive: 'flag',
  'features.apiAccess': 'flag',
  'features.autoRetrain': 'flag',
  'features.videoTranscription': 'flag',
  'features.removeBranding': 'flag',
} as const;

type Settable = keyof typeof settable;

const isSettable = (key: string): key is Settable => Object.hasOwn(settable, key);

export const settableHelp = `${Object.keys(settable).join(', ')}; the value "default" removes the override`;

/** Applies `key=value` assignments. Throws OVERRIDE_INVALID. */
export function applyOverrides(current: Overrides, assignments: string[]): Overrides {
  const next = structuredClone(current) as Record<string, unknown>;
  for (const assignment of assignments) {
    const [key = '', ...rest] = assignment.split('=');
    const text = rest.join('=');
    if (!isSettable(key) || rest.length === 0) {
      throw new CliError(
        'OVERRIDE_INVALID',
        `"${assignment}" cannot be set: it must be KEY=VALUE, KEY one of ${settableHelp}.`,
      );
    }
    assign(next, key.split('.'), text === 'default' ? undefined : readValue(key, text));
  }
  return next as Overrides;
}

function readValue(key: Settable, text: string): number | boolean {
  if (settable[key] === 'count') {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new CliError('OVERRIDE_INVALID', `${key} takes a whole number of 0 or more, not "${text}".`);
  }
  if (text === 'true' || text === 'false') return text === 'true';
  throw new CliError('OVERRIDE_INVALID', `${key} takes true or false, not "${text}".`);
}

function assign(
  target: Record<string, unknown>,
  [head = '', ...rest]: string[],
  value: number | boolean | undefined,
): void {
  if (rest.length === 0) {
    if (value === undefined) delete target[head];
    else target[head] = value;
    return;
  }
  const inner = (target[head] ?? {}) as Record<string, unknown>;
  assign(inner, rest, value);
  if (Object.keys(inner).length === 0) delete target[head];
  else target[head] = inner;
}
