import type { ComponentChildren } from 'preact';
import { agentPath, ask } from '../../api/request.js';
import { SchemaForm, type SchemaFormProps } from '../../forms/schema-form.js';
import { labelOf } from '../../forms/words.js';
import { useLoaded } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { Problem } from '../../parts/notice.js';

interface SettingsGroupProps extends Pick<SchemaFormProps, 'allowed' | 'check' | 'notes' | 'beside'> {
  agentId: string;
  /** Last part of the path. */
  name: string;
  operation: string;
  /** Shown above the form. */
  children?: ComponentChildren;
}

/** A group of an agent's settings, saved on its own. */
export function SettingsGroup(props: SettingsGroupProps) {
  const { agentId, name, operation, children, ...form } = props;
  const path = agentPath(agentId, 'settings', name);
  const { data, failure, reload, show } = useLoaded(
    (signal) => ask<Record<string, unknown>>(path, { signal }),
    [path],
  );
  const title = name === 'ai' ? 'AI' : labelOf(name);
  const save = async (body: object) => {
    await ask(path, { method: 'PATCH', body });
    show(await ask(path));
    announce(`${title}: saved.`);
  };
  return (
    <section class="panel" aria-labelledby={`settings-${name}`}>
      <h2 id={`settings-${name}`}>{title}</h2>
      {children}
      <Problem failure={failure} retry={reload} />
      {data && (
        <SchemaForm operation={operation} stored={data} verb={`Save ${title}`} send={save} {...form} />
      )}
    </section>
  );
}
