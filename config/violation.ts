import type { ErrorObject } from 'ajv/dist/2020.js';
import { closestName } from './closest-name.js';

const decoded = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** Converts a JSON pointer to a path: `/limits/agents` to `limits.agents`, and the empty pointer to `whole`. */
const placeOf = (pointer: string, whole: string): string =>
  pointer === '' ? whole : pointer.split('/').slice(1).map(decoded).join('.');

const inner = (pointer: string, name: string): string => placeOf(`${pointer}/${name}`, '');

function unknownName({ instancePath, params, parentSchema }: ErrorObject): string {
  const name = String(params.additionalProperty ?? params.unevaluatedProperty);
  const known = Object.keys(parentSchema?.properties ?? {});
  const close = closestName(name, known);
  const advice = close === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean ${close}?`;
  return `${inner(instancePath, name)} is not known (${advice})`;
}

function sentence(error: ErrorObject, whole: string): string {
  const { keyword, instancePath, params } = error;
  if (keyword === 'required') return `${inner(instancePath, params.missingProperty)} is missing`;
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return unknownName(error);
  const place = placeOf(instancePath, whole);
  if (keyword === 'propertyNames') return `${inner(instancePath, params.propertyName)} is not a valid name`;
  if (keyword === 'enum') return `${place} must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'const') return `${place} must be ${JSON.stringify(params.allowedValue)}`;
  return `${place} ${error.message ?? 'is not valid'}`;
}

/** Returns the required properties of each branch of a `oneOf` or `anyOf`; null if a branch requires none. */
function requiredByBranch({ schema }: ErrorObject): string[] | null {
  const branches: { required?: string[] }[] = Array.isArray(schema) ? schema : [];
  return branches.every((branch) => branch.required !== undefined)
    ? branches.map((branch) => (branch.required ?? []).join(' with '))
    : null;
}

/**
 * Converts errors of a validator (with `verbose` and `allErrors`) to sentences that say where the problem is and what
 * to do. They contain names and requirements but never values, which may be secret. `whole` is the name of the
 * checked value.
 */
export function violationSentences(errors: readonly ErrorObject[], whole: string): string[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const alternatives = choices.flatMap((choice) => {
    const names = requiredByBranch(choice);
    if (names === null) return [];
    const amount = choice.keyword === 'oneOf' ? 'exactly one' : 'at least one';
    const place = placeOf(choice.instancePath, whole);
    return [{ path: choice.schemaPath, text: `${place} must have ${amount} of: ${names.join('; ')}` }];
  });
  // Do not report the errors of the branches in addition to the error about the choice.
  const others = errors.filter(
    (error) =>
      !choices.includes(error) &&
      !alternatives.some(({ path }) => error.schemaPath.startsWith(`${path}/`)) &&
      !(error.propertyName !== undefined && error.keyword !== 'propertyNames'),
  );
  return [
    ...new Set([...alternatives.map(({ text }) => text), ...others.map((error) => sentence(error, whole))]),
  ];
}
