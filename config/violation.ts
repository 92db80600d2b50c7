import type { ErrorObject } from 'ajv/dist/2020.js';
import { closestName } from './closest-name.js';

const decoded = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** `/limits/agents` becomes `limits.agents`; `whole` stands for the value itself. */
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

/** What each branch of a `oneOf` or `anyOf` requires, where that is how they differ; otherwise null. */
function requiredByBranch({ schema }: ErrorObject): string[] | null {
  const branches: { required?: string[] }[] = Array.isArray(schema) ? schema : [];
  return branches.every((branch) => branch.required !== undefined)
    ? branches.map((branch) => (branch.required ?? []).join(' with '))
    : null;
}

/**
 * The errors of a validator that runs with `verbose` and `allErrors`, as sentences with the place and
 * what to do. They never show a value, which may be secret: only names, and what the schema says. `whole`
 * names the checked value.
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
  // Either the branches say what is wrong, or the sentence about the choice does.
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
