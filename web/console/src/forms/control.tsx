import type { FieldProps } from './field-props.js';
import { knownChoices } from './known-values.js';
import { kindOf } from './values.js';

/** Longer texts get a text area. Characters. */
const ONE_LINE = 4096;
/** A text area for texts up to this length has a few lines. UTF-8 bytes. */
const A_FEW_LINES = 1024;

interface ControlProps extends FieldProps {
  id: string;
  text: string;
  describedBy: string;
}

/** The input for a field: text, number or choice. */
export function Control({ id, text, describedBy, ...props }: ControlProps) {
  const { name, schema, isRequired, problems, texts, onChange } = props;
  const common = {
    id,
    name,
    required: isRequired,
    'aria-invalid': name in problems,
    'aria-describedby': describedBy,
  };
  const typed = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  const kind = kindOf(schema);
  const choices = props.choices ?? (kind === 'text' ? knownChoices(name, text) : undefined);
  if (kind === 'choice' || choices)
    return (
      <select {...common} value={text} onChange={typed}>
        {kind === 'text' && <option value="">Not set</option>}
        <Options {...props} choices={choices} entry={kind === 'text' ? text : props.entry} />
      </select>
    );
  const isLong =
    kind === 'lines' || (schema.maxLength ?? 0) > ONE_LINE || schema['x-max-utf8-bytes'] !== undefined;
  const isShort = kind === 'lines' || (schema['x-max-utf8-bytes'] ?? A_FEW_LINES + 1) <= A_FEW_LINES;
  if (isLong) return <textarea {...common} rows={isShort ? 4 : 8} value={text} onInput={typed} />;
  const line = { ...common, value: text, onInput: typed, autocomplete: 'off' };
  if (kind === 'number')
    return <input {...line} type="number" step="any" min={schema.minimum} max={schema.maximum} />;
  if (texts[name]?.isSecret) return <input {...line} type="password" />;
  const isUrl = schema.format?.includes('url') || name === 'url';
  return (
    <input {...line} inputMode={isUrl ? 'url' : 'text'} placeholder={isUrl ? 'https://example.com' : ''} />
  );
}

function Options({ name, schema, entry, texts, choices }: FieldProps) {
  const labels = texts[name]?.choices ?? {};
  const offered =
    choices ??
    (schema.enum ?? []).flatMap((value) =>
      value === null ? [] : [{ value, label: labels[value] ?? value, isDisabled: false }],
    );
  return (
    <>
      {entry === undefined && <option value="">Not set</option>}
      {offered.map(({ value, label, isDisabled }) => (
        <option key={value} value={value} disabled={isDisabled}>
          {label}
        </option>
      ))}
    </>
  );
}
