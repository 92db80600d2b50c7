import { kindNames } from '../core/ports/plugin.port.js';

/**
 * Major version of the contract between plugins and Cadre. Increase it for changes that may break existing plugins.
 */
export const CONTRACT_VERSION = 1;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a value looks like a plugin, valid or not. */
export const claimsToBePlugin = (value: unknown): value is Record<string, unknown> & { kind: unknown } =>
  isObject(value) && 'kind' in value && ('start' in value || 'contract' in value || 'optionsSchema' in value);

/** Returns the problems with the shape of a plugin; an empty list if it is valid. */
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
