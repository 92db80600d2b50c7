import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { bodyOf as schemaOf } from '../api/description.js';
import { Failure } from '../api/failure.js';
import { useAction, useLoaded } from '../loading.js';
import { Loading, Problem } from '../parts/notice.js';
import { Field } from './field.js';
import { formProblems } from './limits.js';
import { bodyOf, changesOf, type Entries, type Entry, entriesOf } from './values.js';

export interface SchemaFormProps {
  /** Id of the operation whose body schema defines the form. */
  operation: string;
  /** Current values; if given, only changes are sent. */
  stored?: Record<string, unknown>;
  /** Names of the fields to show; defaults to all. */
  only?: readonly string[];
  /** Label of the button. */
  verb: string;
  /** Sends the body. Errors are shown, at their fields if they name some. */
  send: (body: Record<string, unknown>) => Promise<unknown>;
  onCancel?: () => void;
  allowed?: Record<string, readonly string[] | undefined>;
  /** Replaces the message of a failure; the form keeps its entries. */
  tell?: (failure: Failure) => ComponentChildren;
  /** Initial entries. */
  initial?: Entries;
  /** Problems that the schema does not describe, by field. */
  check?: (entries: Entries) => Record<string, string[]>;
  /** Notes and controls below fields, by field. */
  notes?: (
    entries: Entries,
    change: (name: string, entry: Entry) => void,
  ) => Record<string, ComponentChildren>;
  /** Content beside the form. `values` are all values as they would be sent. */
  beside?: (values: Record<string, unknown>) => ComponentChildren;
}

/** A form for the body of an operation. Fields, limits and hints come from the API's description. */
export function SchemaForm({
  operation,
  stored,
  only,
  verb,
  send,
  onCancel,
  allowed = {},
  tell,
  initial = {},
  check,
  notes,
  beside,
}: SchemaFormProps) {
  const schema = useLoaded(() => schemaOf(operation), [operation]);
  const [typed, setTyped] = useState<Entries>(initial);
  const [problems, setProblems] = useState<Record<string, string[]>>({});
  const { busy, failure, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const known = failure ? failure.fieldErrors : problems;
  const isMarked = Object.keys(known).length > 0;
  useEffect(() => {
    if (isMarked) form.current?.querySelector<HTMLElement>('[aria-invalid=true], .wrong input')?.focus();
  }, [problems, failure]);
  if (!schema.data)
    return schema.failure ? <Problem failure={schema.failure} retry={schema.reload} /> : <Loading />;
  const { properties = {}, required = [] } = schema.data;
  const fields = Object.entries(properties).filter(([name]) => only?.includes(name) ?? true);
  const before = entriesOf(schema.data, stored ?? {});
  const entries = { ...before, ...typed };
  const changes = stored ? changesOf(schema.data, before, entries) : bodyOf(schema.data, entries);

  const submit = async (event: Event) => {
    event.preventDefault();
    const found = schema.data ? { ...check?.(entries), ...formProblems(schema.data, entries) } : {};
    setProblems(found);
    if (Object.keys(found).length > 0 || !changes) return;
    if (await run(() => send(changes))) setTyped({});
  };
  const change = (name: string, entry: Entry) => setTyped({ ...typed, [name]: entry });
  const noted = notes?.(entries, change) ?? {};
  // Errors without a field are shown above the button.
  const elsewhere = failure && Object.keys(failure.fieldErrors).some((name) => name in properties);
  const shown = (
    <form ref={form} onSubmit={submit} noValidate>
      {fields.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          entry={entries[name]}
          isRequired={required.includes(name)}
          problems={known[name] ?? []}
          allowed={allowed[name]}
          onChange={(entry) => change(name, entry)}
        >
          {noted[name]}
        </Field>
      ))}
      {(failure && tell?.(failure)) || <Problem failure={elsewhere ? marked(failure) : failure} />}
      <div class="actions">
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" class="primary" disabled={busy || (stored !== undefined && !changes)}>
          {verb}
        </button>
      </div>
    </form>
  );
  if (!beside) return shown;
  return (
    <div class="beside">
      {shown}
      {beside(bodyOf(schema.data, entries) ?? {})}
    </div>
  );
}

/** The failure without the errors shown at fields. */
const marked = ({ message, code, requestId }: Failure): Failure =>
  new Failure(message, code ? { code } : {}, requestId);
