import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PermissionName } from '../../../../core/schemas/permissions.js';
import { bodyOf as schemaOf } from '../api/description.js';
import type { Failure } from '../api/failure.js';
import { useAction, useLoaded } from '../loading.js';
import { Loading, Problem } from '../parts/notice.js';
import { may, Permitted } from '../parts/permitted.js';
import { useUnsaved } from '../unsaved.js';
import { Field } from './field.js';
import type { Choice } from './field-props.js';
import type { FieldTexts, FormSection } from './layout.js';
import { formProblems } from './limits.js';
import { bodyOf, changesOf, type Entries, type Entry, entriesOf } from './values.js';

/** Submits a form with changes on Ctrl+S or ⌘S. */
function useSaveShortcut(form: RefObject<HTMLFormElement | null>, isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isActive]);
}

export interface SchemaFormProps {
  /** Id of the operation whose body schema defines the form. */
  operation: string;
  /** Current values. If given, only changes are sent. */
  stored?: Record<string, unknown>;
  /** Names of the fields to show; defaults to all. */
  only?: readonly string[];
  /** Groups of fields, in this order. Fields in no group are shown at the end. */
  sections?: readonly FormSection[];
  texts?: FieldTexts;
  /** Label of the button. */
  verb: string;
  /** Sends the body. Errors that name fields are shown at these fields. */
  send: (body: Record<string, unknown>) => Promise<unknown>;
  /** A second way to send the body. */
  other?: { verb: string; send: (body: Record<string, unknown>) => Promise<unknown> };
  onCancel?: () => void;
  /** Callers without this permission can only read the form. */
  needs?: PermissionName;
  /** Replaces the choices of fields, by field. */
  choices?: Record<string, readonly Choice[] | undefined>;
  /** Returns a replacement for the message of a failure. The form keeps its entries. */
  tell?: (failure: Failure) => ComponentChildren;
  initial?: Entries;
  /** Problems that the schema does not describe, by field. */
  check?: (entries: Entries) => Record<string, string[]>;
  /** Returns the fields that have no effect with these entries, and are hidden. */
  hides?: (entries: Entries) => readonly string[];
  /** Notes and controls below fields, by field. */
  notes?: (
    entries: Entries,
    change: (name: string, entry: Entry) => void,
  ) => Record<string, ComponentChildren>;
  /** Returns content beside the form. `values` are all values as they would be sent. */
  beside?: (values: Record<string, unknown>) => ComponentChildren;
}

/** A form for the body of an operation. Fields, limits and defaults come from the OpenAPI description. */
export function SchemaForm({
  operation,
  stored,
  only,
  sections = [],
  texts = {},
  verb,
  send,
  other,
  onCancel,
  needs,
  choices = {},
  tell,
  initial = {},
  check,
  hides,
  notes,
  beside,
}: SchemaFormProps) {
  const schema = useLoaded(() => schemaOf(operation), [operation]);
  const [start] = useState<Entries>(initial);
  const [typed, setTyped] = useState<Entries>(start);
  const [problems, setProblems] = useState<Record<string, string[]>>({});
  const { busy, failure, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const known = failure ? failure.fieldErrors : problems;
  const isMarked = Object.keys(known).length > 0;
  useEffect(() => {
    if (isMarked) form.current?.querySelector<HTMLElement>('[aria-invalid=true], .wrong input')?.focus();
  }, [problems, failure]);
  useLayoutEffect(() => {
    // A dialog may open before its form is loaded, so set the focus now.
    if (schema.data && form.current?.closest('dialog'))
      form.current.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [schema.data]);
  const { properties = {}, required = [] } = schema.data ?? {};
  const before = entriesOf(schema.data ?? {}, stored ?? {});
  const entries = { ...before, ...typed };
  const changes = stored ? changesOf(schema.data ?? {}, before, entries) : bodyOf(schema.data ?? {}, entries);
  const isUnsaved = typed !== start && Object.keys(typed).length > 0 && changes !== undefined && !busy;
  useUnsaved(isUnsaved);
  useSaveShortcut(form, isUnsaved);
  if (!schema.data)
    return schema.failure ? <Problem failure={schema.failure} retry={schema.reload} /> : <Loading />;

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const found = schema.data ? { ...check?.(entries), ...formProblems(schema.data, entries) } : {};
    setProblems(found);
    if (Object.keys(found).length > 0 || !changes) return;
    const isOther = other !== undefined && event.submitter?.hasAttribute('data-other');
    if (await run(() => (isOther ? other.send(changes) : send(changes)))) setTyped({});
  };
  // An update function, because an upload may call this after other fields have changed.
  const change = (name: string, entry: Entry) => setTyped((now) => ({ ...now, [name]: entry }));
  const noted = notes?.(entries, change) ?? {};
  const hidden = hides?.(entries) ?? [];
  const fieldOf = (name: string) => {
    const field = properties[name];
    return (
      field &&
      !hidden.includes(name) && (
        <Field
          key={name}
          name={name}
          schema={field}
          entry={entries[name]}
          isRequired={required.includes(name)}
          problems={known}
          texts={texts}
          choices={choices[name]}
          onChange={(entry) => change(name, entry)}
        >
          {noted[name]}
        </Field>
      )
    );
  };
  const grouped = sections.flatMap(({ fields }) => fields);
  const rest = Object.keys(properties).filter(
    (name) => !grouped.includes(name) && (only?.includes(name) ?? true),
  );
  // A problem that is shown at a field needs no other message.
  const isElsewhere = failure && !Object.keys(failure.fieldErrors).some((name) => name in properties);
  const isLocked = needs !== undefined && !may(needs);
  const shown = (
    <form ref={form} onSubmit={submit} noValidate>
      {needs !== undefined && <Permitted needs={needs} what="changes here" />}
      <fieldset class="fields" disabled={isLocked}>
        {sections.map(({ title, about, fields }) => (
          <section key={fields[0]} class="form-section">
            {title && <h3>{title}</h3>}
            {about && <p class="about">{about}</p>}
            {fields.map(fieldOf)}
          </section>
        ))}
        {rest.map(fieldOf)}
      </fieldset>
      {(failure && tell?.(failure)) || <Problem failure={isElsewhere ? failure : null} />}
      {!isLocked && (
        <div class={stored !== undefined && isUnsaved ? 'actions unsaved' : 'actions'}>
          {onCancel && (
            <button type="button" onClick={onCancel}>
              Cancel
            </button>
          )}
          {stored !== undefined && isUnsaved && !onCancel && (
            <>
              <span class="muted">Not saved yet</span>
              <button type="button" onClick={() => setTyped({})}>
                Discard
              </button>
            </>
          )}
          {other && (
            <button type="submit" data-other disabled={busy || !changes}>
              {other.verb}
            </button>
          )}
          <button type="submit" class="primary" disabled={busy || (stored !== undefined && !changes)}>
            {verb}
          </button>
        </div>
      )}
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
