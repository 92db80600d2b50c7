import { agentPath, ask } from '../../../api/request.js';
import { surroundings } from '../../../api/surroundings.js';
import type { SocialConnection } from '../../../api/types.js';
import { useLoaded } from '../../../loading.js';
import { Empty, Loading, Problem } from '../../../parts/notice.js';
import { ExampleSettings } from '../../../parts/settings-to-copy.js';
import { Tabs } from '../../../parts/tabs.js';
import { Automations } from './automations.js';
import { Connect } from './connect.js';
import { Connection } from './connection.js';
import { Deliveries } from './deliveries.js';
import { Menu } from './menu.js';
import { Starters } from './starters.js';

const parts = [
  { place: 'connection', name: 'Connection' },
  { place: 'automations', name: 'Automations' },
  { place: 'menu', name: 'Menu' },
  { place: 'starters', name: 'Starters' },
  { place: 'deliveries', name: 'Messages sent' },
] as const;

interface SocialPageProps {
  agentId: string;
  /** Last part of the address; null for the first page. */
  place: string | null;
}

/** The agent's connection to a social platform, with automations, profile and messages. */
export function SocialPage({ agentId, place }: SocialPageProps) {
  const path = agentPath(agentId, 'channels', 'social');
  const { data, failure, reload, show } = useLoaded(
    async (signal) => ({
      connection: await ask<SocialConnection>(path, { signal }),
      known: await surroundings(),
    }),
    [path],
  );
  if (failure) return <Problem failure={failure} retry={reload} />;
  if (!data) return <Loading />;
  const { connection, known } = data;
  const change = (connection: SocialConnection) => show({ connection, known });
  if (connection.status === undefined)
    return known.hasChannel ? (
      <Connect agentId={agentId} onConnected={change} />
    ) : (
      <Empty title="No social platform is configured on this service.">
        <p>
          Its operator can choose one with the setting <code>plugins.channel</code>, which{' '}
          <code>docs/social.md</code> explains. Agents can be connected to their accounts afterwards.
        </p>
        <ExampleSettings of="channel" />
      </Empty>
    );
  const current = parts.find((part) => part.place === place)?.place ?? 'connection';
  return (
    <div class="with-side">
      <Tabs name="Social" class="side" tabs={parts} current={current} base={['agents', agentId, 'social']} />
      <div>
        {current === 'connection' && (
          <Connection agentId={agentId} connection={connection} onChange={change} />
        )}
        {current === 'automations' && <Automations agentId={agentId} />}
        {current === 'menu' && <Menu agentId={agentId} username={connection.username ?? ''} />}
        {current === 'starters' && <Starters agentId={agentId} username={connection.username ?? ''} />}
        {current === 'deliveries' && <Deliveries agentId={agentId} />}
      </div>
    </div>
  );
}
