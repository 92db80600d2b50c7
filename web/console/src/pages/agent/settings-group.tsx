import type { ComponentChildren } from 'preact';
import { agentPath, ask } from '../../api/request.js';
import { SchemaForm, type SchemaFormProps } from '../../forms/schema-form.js';
import { useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Problem } from '../../parts/notice.js';
import type { SettingsPage } from './settings/layout.js';
import { openDraft, reportChange, settingsChanged } from './versions/draft.js';

interface SettingsGroupProps
  extends Pick<SchemaFormProps, 'choices' | 'check' | 'hides' | 'notes' | 'beside'> {
  agentId: string;
  page: SettingsPage;
  /** Returns the body of the request; by default the changes. */
  bodyOf?: (changes: Record<string, unknown>, stored: Record<string, unknown>) => Record<string, unknown>;
  /** Facts about the stored settings, above the form. */
  facts?: (stored: Record<string, unknown>) => ComponentChildren;
  /** Shown above the form. */
  children?: ComponentChildren;
}

/** A group of an agent's settings, saved on its own. */
export function SettingsGroup({ agentId, page, children, bodyOf, facts, ...form }: SettingsGroupProps) {
  const { group, name, about, operation, sections, texts } = page;
  const path = agentPath(agentId, 'settings', group);
  const draft = { draft: 'true' };
  const isDrafted = openDraft.value !== null;
  const { data, failure, reload, show } = useLoaded(
    (signal) => ask<Record<string, unknown>>(path, { query: isDrafted ? draft : {}, signal }),
    [path, isDrafted, settingsChanged.value],
  );
  const saveAs =
    (query: Record<string, string>, text: string) => async (changes: Record<string, unknown>) => {
      await ask(path, { method: 'PATCH', query, body: bodyOf?.(changes, data ?? {}) ?? changes });
      show(await ask(path, { query }));
      reportChange();
      confirmDone(`${name}: ${text}`);
    };
  const toDraft = saveAs(draft, 'in the draft, not live yet.');
  return (
    <section class={form.beside ? 'panel' : 'panel settings'} aria-labelledby={`settings-${group}`}>
      <h2 id={`settings-${group}`}>{name}</h2>
      <p class="about">{about}</p>
      {children}
      <Problem failure={failure} retry={reload} />
      {data && facts?.(data)}
      {data && (
        <SchemaForm
          operation={operation}
          stored={data}
          sections={sections}
          texts={texts}
          verb={isDrafted ? 'Save to the draft' : 'Save changes'}
          send={isDrafted ? toDraft : saveAs({}, 'saved.')}
          {...(isDrafted ? {} : { other: { verb: 'Save as draft', send: toDraft } })}
          needs="edit"
          {...form}
        />
      )}
    </section>
  );
}
