import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { bodyOf as schemaOf } from '../api/description.js';
import { Failure } from '../api/failure.js';
import { useDoing, useLoaded } from '../loading.js';
import { Loading, Problem } from '../parts/notice.js';
import { Field } from './field.js';
import { formProblems } from './limits.js';
import { bodyOf, changesOf, type Entries, entriesOf } from './values.js';

export interface SchemaFormProps {
  /** Of the API's operation that takes the body; the form is made from its schema. */
  operation: string;
  /** What is stored now: then only changes are sent. */
  stored?: Record<string, unknown>;
  /** Names of the fields to be shown; all when left out. */
  only?: readonly string[];
  /** On the button. */
  verb: string;
  /** Sends the body. What it throws is shown, at its field where it names one. */
  send: (body: Record<string, unknown>) => Promise<unknown>;
  onCancel?: () => void;
  allowed?: Record<string, readonly string[] | undefined>;
  /** What to show of a failure in the place of its message; the form keeps what was typed. */
  tell?: (failure: Failure) => ComponentChildren;
  /** Words to start with. */
  initial?: Entries;
}

/** A form for what an operation takes: its fields, limits and hints come from the API's description of itself. */
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
}: SchemaFormProps) {
  const schema = useLoaded(() => schemaOf(operation), [operation]);
  const [typed, setTyped] = useState<Entries>(initial);
  const [problems, setProblems] = useState<Record<string, string[]>>({});
  const { busy, failure, run } = useDoing();
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
    const found = schema.data ? formProblems(schema.data, entries) : {};
    setProblems(found);
    if (Object.keys(found).length > 0 || !changes) return;
    if (await run(() => send(changes))) setTyped({});
  };
  // What the form has no field for is told above the button.
  const elsewhere = failure && Object.keys(failure.fieldErrors).some((name) => name in properties);
  return (
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
          onChange={(entry) => setTyped({ ...typed, [name]: entry })}
        />
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
}

/** The same failure, without what stands at the fields. */
const marked = ({ message, code, requestId }: Failure): Failure =>
  new Failure(message, code ? { code } : {}, requestId);
