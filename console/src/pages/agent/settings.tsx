import { description } from '../../api/description.js';
import { agentPath, ask } from '../../api/request.js';
import type { Workspace } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { labelOf } from '../../forms/words.js';
import { useLoaded } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { Loading, Problem } from '../../parts/notice.js';

const PREFIX = '/agents/{agentId}/settings/';

/** All groups of settings in the API. */
async function groups(): Promise<{ name: string; operation: string }[]> {
  const { paths } = await description();
  return Object.entries(paths).flatMap(([path, { patch }]) =>
    path.startsWith(PREFIX) && patch
      ? [{ name: path.slice(PREFIX.length), operation: patch.operationId }]
      : [],
  );
}

export function Settings({ agentId }: { agentId: string }) {
  const { data, failure, reload } = useLoaded(groups, []);
  const workspace = useLoaded((signal) => ask<Workspace>('/workspace', { signal }), []);
  if (failure) return <Problem failure={failure} retry={reload} />;
  if (!data) return <Loading />;
  return (
    <div class="settings">
      {data.map(({ name, operation }) => (
        <Group
          key={name}
          agentId={agentId}
          name={name}
          operation={operation}
          allowed={{ model: workspace.data?.models }}
        />
      ))}
    </div>
  );
}

interface GroupProps {
  agentId: string;
  name: string;
  operation: string;
  allowed: Record<string, readonly string[] | undefined>;
}

function Group({ agentId, name, operation, allowed }: GroupProps) {
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
      <Problem failure={failure} retry={reload} />
      {data && (
        <SchemaForm
          operation={operation}
          stored={data}
          verb={`Save ${title}`}
          send={save}
          allowed={allowed}
        />
      )}
    </section>
  );
}
