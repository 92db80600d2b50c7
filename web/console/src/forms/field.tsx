import { useId } from 'preact/hooks';
import { Control } from './control.js';
import type { FieldProps } from './field-props.js';
import { Hint } from './hint.js';
import { sentenceOf } from './limits.js';
import { type Entries, kindOf, linesOf } from './values.js';
import { labelOf } from './words.js';

export function Field(props: FieldProps) {
  const kind = kindOf(props.schema);
  if (kind === 'object') return <Group {...props} />;
  if (kind === 'flag') return <Switch {...props} />;
  if (kind === 'choices') return <Choices {...props} />;
  return <Labelled {...props} />;
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const labelFor = ({ name, texts }: Pick<FieldProps, 'name' | 'texts'>): string =>
  texts[name]?.label ?? labelOf(lastPart(name));

const About = ({ id, name, texts }: Pick<FieldProps, 'name' | 'texts'> & { id: string }) =>
  texts[name]?.about ? (
    <p class="about" id={`${id}-about`}>
      {texts[name]?.about}
    </p>
  ) : null;

const describedBy = (id: string): string => `${id}-about ${id}-hint ${id}-problems`;

function Group(props: FieldProps) {
  const { name, schema, entry, problems, onChange, texts, children } = props;
  const id = useId();
  const entries = (entry ?? {}) as Entries;
  const fields = Object.entries(schema.properties ?? {});
  const flag = fields.find(([, field]) => kindOf(field) === 'flag')?.[0];
  const isOff = flag !== undefined && entries[flag] !== true;
  return (
    <fieldset class={problems[name] ? 'group wrong' : 'group'} aria-describedby={describedBy(id)}>
      <legend>{labelFor(props)}</legend>
      <About id={id} {...props} />
      {fields
        // Hide lists while their group is off, because they have no effect.
        .filter(([inner]) => !isOff || inner === flag)
        .map(([inner, field]) => (
          <Field
            key={inner}
            name={`${name}.${inner}`}
            schema={field}
            entry={entries[inner]}
            isRequired={false}
            problems={problems}
            texts={texts}
            onChange={(value) => onChange({ ...entries, [inner]: value })}
          />
        ))}
      {children}
      <Problems id={id} {...props} />
    </fieldset>
  );
}

function Switch(props: FieldProps) {
  const { name, schema, entry, onChange, children } = props;
  const id = useId();
  const isOn = typeof entry === 'boolean' ? entry : schema.default === true;
  return (
    <div class="field switch">
      <label for={id}>{labelFor(props)}</label>
      <input
        id={id}
        name={name}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        aria-describedby={describedBy(id)}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <About id={id} {...props} />
      <Hint id={id} {...props} text="" />
      {children}
      <Problems id={id} {...props} />
    </div>
  );
}

function Choices(props: FieldProps) {
  const { name, schema, entry, onChange, texts } = props;
  const id = useId();
  const about = texts[name]?.choices;
  const taken = typeof entry === 'string' ? linesOf(entry) : [];
  return (
    <fieldset class="field" aria-describedby={describedBy(id)}>
      <legend>{labelFor(props)}</legend>
      <About id={id} {...props} />
      {(schema.items?.enum ?? []).map((option) => (
        <label key={option} class="tick option">
          <input
            type="checkbox"
            checked={taken.includes(option ?? '')}
            onChange={({ currentTarget: { checked } }) =>
              onChange([...taken.filter((one) => one !== option), ...(checked ? [option] : [])].join('\n'))
            }
          />
          <span>
            {option}
            {option && about?.[option] && <span class="hint"> {about[option].replaceAll('`', '')}</span>}
          </span>
        </label>
      ))}
      <Hint id={id} {...props} text="" />
      <Problems id={id} {...props} />
    </fieldset>
  );
}

function Labelled(props: FieldProps) {
  const { name, entry, isRequired, texts } = props;
  const id = useId();
  const text = typeof entry === 'string' ? entry : '';
  return (
    <div class="field">
      <label for={id}>
        {labelFor(props)}
        {isRequired && texts[name]?.unset === undefined && <span class="muted"> (required)</span>}
      </label>
      <About id={id} {...props} />
      <Control {...props} id={id} text={text} describedBy={describedBy(id)} />
      <Hint id={id} {...props} text={text} />
      {props.children}
      <Problems id={id} {...props} />
    </div>
  );
}

function Problems(props: FieldProps & { id: string }) {
  const found = props.problems[props.name] ?? [];
  return (
    <p class="field-problem" id={`${props.id}-problems`} hidden={found.length === 0}>
      {found.map((problem) => sentenceOf(problem, labelFor(props))).join(' ')}
    </p>
  );
}
