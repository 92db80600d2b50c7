import type { ComponentChildren } from 'preact';
import { agentPath, ask } from '../../api/request.js';
import { SchemaForm, type SchemaFormProps } from '../../forms/schema-form.js';
import { useLoaded } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Problem } from '../../parts/notice.js';
import type { SettingsPage } from './settings/layout.js';

interface SettingsGroupProps extends Pick<SchemaFormProps, 'choices' | 'check' | 'notes' | 'beside'> {
  agentId: string;
  page: SettingsPage;
  /** Shown above the form. */
  children?: ComponentChildren;
}

/** A group of an agent's settings, saved on its own. */
export function SettingsGroup({ agentId, page, children, ...form }: SettingsGroupProps) {
  const { group, name, about, operation, sections, texts } = page;
  const path = agentPath(agentId, 'settings', group);
  const { data, failure, reload, show } = useLoaded(
    (signal) => ask<Record<string, unknown>>(path, { signal }),
    [path],
  );
  const save = async (body: object) => {
    await ask(path, { method: 'PATCH', body });
    show(await ask(path));
    confirmDone(`${name}: saved.`);
  };
  return (
    <section class={form.beside ? 'panel' : 'panel settings'} aria-labelledby={`settings-${group}`}>
      <h2 id={`settings-${group}`}>{name}</h2>
      <p class="about">{about}</p>
      {children}
      <Problem failure={failure} retry={reload} />
      {data && (
        <SchemaForm
          operation={operation}
          stored={data}
          sections={sections}
          texts={texts}
          verb="Save changes"
          send={save}
          needs="edit"
          {...form}
        />
      )}
    </section>
  );
}
