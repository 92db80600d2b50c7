import { kindNames } from '../core/ports/plugin.port.js';

/** Major version of what plugins and Cadre promise each other. Goes up when a plugin that worked may no longer work. */
export const CONTRACT_VERSION = 1;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value means to be a plugin, if perhaps a wrong one. */
export const claimsToBePlugin = (value: unknown): value is Record<string, unknown> & { kind: unknown } =>
  isObject(value) && 'kind' in value && ('start' in value || 'contract' in value || 'optionsSchema' in value);

/** What a plugin must be at run time, whoever wrote it; empty when nothing is wrong. */
export function shapeFaults(value: unknown): string[] {
  if (!isObject(value)) return ['it must be an object'];
  const faults: string[] = [];
  if (!kindNames.some((kind) => kind === value.kind)) faults.push(`kind must be ${kindNames.join(' or ')}`);
  if (typeof value.name !== 'string' || value.name === '') faults.push('name must be a non-empty string');
  if (!Number.isInteger(value.contract)) faults.push(`contract must be a number (now ${CONTRACT_VERSION})`);
  if (!isObject(value.optionsSchema)) faults.push('optionsSchema must be a JSON Schema object');
  if (typeof value.start !== 'function') faults.push('start must be a function');
  return faults;
}
