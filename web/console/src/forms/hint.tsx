import type { Schema } from '../api/description.js';
import { count } from '../parts/numbers.js';
import type { FieldProps } from './field-props.js';
import { fillOf } from './limits.js';
import { type Entry, kindOf } from './values.js';

type HintProps = Pick<FieldProps, 'name' | 'schema' | 'entry' | 'texts'> & { id: string; text: string };

/** The hint below a field: its default and its limits. */
export function Hint({ id, name, schema, entry, texts, text }: HintProps) {
  const { about, unset } = texts[name] ?? {};
  const parts = [
    isUnset(entry) && unset,
    about === undefined && schema.description?.replaceAll('`', ''),
    ...limitsOf(schema, text, texts[name]?.choices ?? {}),
  ];
  return (
    <p class="hint" id={`${id}-hint`}>
      {parts.filter(Boolean).join(' · ')}
    </p>
  );
}

/** Share of a limit above which it is shown. */
const NEAR = 0.8;

const isUnset = (entry: Entry): boolean => entry === undefined || entry === '';

function limitsOf(schema: Schema, text: string, labels: Record<string, string>): (string | false | null)[] {
  const fill = fillOf(schema, text);
  const { minimum, maximum, default: standard } = schema;
  const kind = kindOf(schema);
  return [
    kind === 'lines' && 'One per line',
    standard !== undefined &&
      kind !== 'flag' &&
      typeof standard !== 'object' &&
      (labels[String(standard)] ? `Default: ${labels[String(standard)]}` : `${standard} if left empty`),
    text !== '' &&
      minimum !== undefined &&
      maximum !== undefined &&
      (Number(text) < minimum || Number(text) > NEAR * maximum) &&
      `${count(minimum)} to ${count(maximum)}`,
    fill && fill.used > NEAR * fill.limit && `${count(fill.used)} of ${count(fill.limit)} ${fill.unit}`,
  ];
}
