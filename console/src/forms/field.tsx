import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Schema } from '../api/description.js';
import { count } from '../parts/figures.js';
import { fillOf } from './limits.js';
import { type Entries, type Entry, kindOf, linesOf } from './values.js';
import { labelOf } from './words.js';

export interface FieldProps {
  name: string;
  schema: Schema;
  entry: Entry;
  isRequired: boolean;
  problems: string[];
  onChange: (entry: Entry) => void;
  /** Choices included in the plan; the others are marked. */
  allowed?: readonly string[] | undefined;
  /** Shown below the field. */
  children?: ComponentChildren;
}

/** A longer text gets a text area. Characters. */
const ONE_LINE = 4096;

export function Field(props: FieldProps) {
  const kind = kindOf(props.schema);
  if (kind === 'object') return <Group {...props} />;
  if (kind === 'flag') return <Flag {...props} />;
  if (kind === 'choices') return <Choices {...props} />;
  return <Labelled {...props} />;
}

function Group({ name, schema, entry, problems, onChange, children }: FieldProps) {
  const id = useId();
  const entries = (entry ?? {}) as Entries;
  return (
    <fieldset class={problems.length > 0 ? 'group wrong' : 'group'} aria-describedby={`${id}-problems`}>
      <legend>{labelOf(name)}</legend>
      {Object.entries(schema.properties ?? {}).map(([inner, field]) => (
        <Field
          key={inner}
          name={inner}
          schema={field}
          entry={entries[inner]}
          isRequired={false}
          problems={[]}
          onChange={(value) => onChange({ ...entries, [inner]: value })}
        />
      ))}
      {children}
      <Problems id={id} problems={problems} />
    </fieldset>
  );
}

function Flag({ name, schema, entry, problems, onChange, children }: FieldProps) {
  const id = useId();
  return (
    <fieldset class="field flag" aria-describedby={`${id}-hint ${id}-problems`}>
      <legend>{labelOf(name)}</legend>
      <div class="choice">
        {([true, false] as const).map((value) => (
          <label key={String(value)}>
            <input type="radio" name={id} checked={entry === value} onChange={() => onChange(value)} />
            <span>{value ? 'On' : 'Off'}</span>
          </label>
        ))}
      </div>
      <Hint id={id} schema={schema} text="" isUnset={entry === undefined} />
      {children}
      <Problems id={id} problems={problems} />
    </fieldset>
  );
}

function Choices({ name, schema, entry, problems, onChange }: FieldProps) {
  const id = useId();
  const taken = typeof entry === 'string' ? linesOf(entry) : [];
  return (
    <fieldset class="field" aria-describedby={`${id}-hint ${id}-problems`}>
      <legend>{labelOf(name)}</legend>
      {(schema.items?.enum ?? []).map((option) => (
        <label key={option} class="tick">
          <input
            type="checkbox"
            checked={taken.includes(option ?? '')}
            onChange={({ currentTarget: { checked } }) =>
              onChange([...taken.filter((one) => one !== option), ...(checked ? [option] : [])].join('\n'))
            }
          />
          {option}
        </label>
      ))}
      <Hint id={id} schema={schema} text="" isUnset={false} />
      <Problems id={id} problems={problems} />
    </fieldset>
  );
}

function Labelled(props: FieldProps) {
  const { name, schema, entry, isRequired, problems } = props;
  const id = useId();
  const text = typeof entry === 'string' ? entry : '';
  return (
    <div class="field">
      <label for={id}>
        {labelOf(name)}
        {isRequired && <span class="muted"> (needed)</span>}
      </label>
      <Control {...props} id={id} text={text} />
      <Hint id={id} schema={schema} text={text} isUnset={false} />
      {props.children}
      <Problems id={id} problems={problems} />
    </div>
  );
}

function Control({ id, text, ...props }: FieldProps & { id: string; text: string }) {
  const { schema, entry, isRequired, problems, onChange, allowed } = props;
  const common = {
    id,
    name: props.name,
    required: isRequired,
    'aria-invalid': problems.length > 0,
    'aria-describedby': `${id}-hint ${id}-problems`,
  };
  const typed = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  const kind = kindOf(schema);
  if (kind === 'choice')
    return (
      <select {...common} value={text} onChange={typed}>
        {entry === undefined && <option value="">Not set</option>}
        {(schema.enum ?? [])
          .filter((option) => option !== null)
          .map((option) => {
            const isAllowed = allowed === undefined || allowed.includes(option);
            return (
              <option key={option} value={option} disabled={!isAllowed}>
                {isAllowed ? option : `${option} (not in the plan)`}
              </option>
            );
          })}
      </select>
    );
  const isLong =
    kind === 'lines' || (schema.maxLength ?? 0) > ONE_LINE || schema['x-max-utf8-bytes'] !== undefined;
  if (isLong) return <textarea {...common} rows={kind === 'lines' ? 4 : 8} value={text} onInput={typed} />;
  const line = { ...common, value: text, onInput: typed, autocomplete: 'off' };
  if (kind === 'number')
    return <input {...line} type="number" step="any" min={schema.minimum} max={schema.maximum} />;
  return <input {...line} inputMode={schema.format?.includes('url') ? 'url' : 'text'} />;
}

/** Description and fill level of a field. */
function Hint({ id, schema, text, isUnset }: { id: string; schema: Schema; text: string; isUnset: boolean }) {
  const fill = fillOf(schema, text);
  const { minimum, maximum, description, items, default: standard } = schema;
  const parts = [
    isUnset && 'Not set',
    description?.replaceAll('`', ''),
    kindOf(schema) === 'lines' && 'One per line',
    items?.maxLength !== undefined && `at most ${count(items.maxLength)} characters each`,
    standard !== undefined && typeof standard !== 'object' && `${standard} when left empty`,
    minimum !== undefined && maximum !== undefined && `${count(minimum)} to ${count(maximum)}`,
    fill && `${count(fill.used)} of ${count(fill.limit)} ${fill.unit}`,
  ];
  return (
    <p class="hint" id={`${id}-hint`}>
      {parts.filter(Boolean).join(' · ')}
    </p>
  );
}

const Problems = ({ id, problems }: { id: string; problems: string[] }) => (
  <p class="field-problem" id={`${id}-problems`} hidden={problems.length === 0}>
    {problems.join('; ')}
  </p>
);
