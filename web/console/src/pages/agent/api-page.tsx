import { surroundings } from '../../api/surroundings.js';
import { useLoaded } from '../../loading.js';
import { CopyButton } from '../../parts/copy-button.js';
import { CopyText } from '../../parts/copy-text.js';
import { Loading, Problem } from '../../parts/notice.js';
import { may } from '../../parts/permitted.js';
import { to } from '../../router.js';

/** How programs reach the agent. */
export function ApiPage({ agentId }: { agentId: string }) {
  const { data, failure, reload } = useLoaded(surroundings, []);
  if (!data) return failure ? <Problem failure={failure} retry={reload} /> : <Loading />;
  const origin = data.publicUrl ?? location.origin;
  const curl = `curl ${origin}/api/v2/agents/${agentId}/chat \\
  -H 'Authorization: Bearer YOUR-KEY' -H 'Content-Type: application/json' \\
  -d '{"message": "When are you open?", "stream": false}'`;
  return (
    <div class="settings">
      <section class="panel" aria-labelledby="api-id">
        <h2 id="api-id">Agent id</h2>
        <p class="secret-line">
          <code>{agentId}</code> <CopyButton text={agentId} what="agent id" />
        </p>
      </section>
      <section class="panel" aria-labelledby="api-ask">
        <h2 id="api-ask">Ask it</h2>
        <p>
          Programs need a key. One with the right “Chat” for this agent alone is enough.{' '}
          {may('keys.manage') && <a href={to('keys')}>Make a key</a>}
        </p>
        <CopyText label="Request" text={curl} />
        {data.hasReference && (
          <p>
            The <a href="/docs">API reference</a> describes every operation.
          </p>
        )}
      </section>
      <section class="panel" aria-labelledby="api-openai">
        <h2 id="api-openai">OpenAI clients and MCP</h2>
        <p>Programs written for the OpenAI API work with this base URL and the agent’s id as the model.</p>
        <CopyText label="Base URL" text={`${origin}/openai/v1`} />
        <CopyText label="MCP server" text={`${origin}/mcp`} />
      </section>
    </div>
  );
}
