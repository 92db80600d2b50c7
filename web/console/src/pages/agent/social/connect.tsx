import { agentPath, ask } from '../../../api/request.js';
import type { SocialConnection } from '../../../api/types.js';
import { SchemaForm } from '../../../forms/schema-form.js';
import { confirmDone } from '../../../parts/announce.js';

interface ConnectProps {
  agentId: string;
  onConnected: (connection: SocialConnection) => void;
}

/** The form that connects the agent to its first account. */
export const Connect = (props: ConnectProps) => (
  <section class="panel settings" aria-labelledby="social-connect">
    <h2 id="social-connect">Connect an account</h2>
    <p>
      The agent then answers the messages that people write to the account, and can react to comments and
      replies to stories.
    </p>
    <ol>
      <li>
        In the platform’s dashboard, the address for events is{' '}
        <code>{`${location.origin}/hooks/social`}</code>. The operator of this service enters it once for all
        agents.
      </li>
      <li>
        Create a token for the account there, with the permission for messages. Automations for comments need
        the permission for comments, too.
      </li>
      <li>Paste the token here. An account can be connected to one agent only.</li>
    </ol>
    <TokenForm {...props} />
  </section>
);

export const TokenForm = ({ agentId, onConnected }: ConnectProps) => (
  <SchemaForm
    operation="connectSocialChannel"
    verb="Connect"
    needs="channels.connect"
    texts={{
      accessToken: {
        label: 'Access token',
        about: 'It is stored encrypted, and never shown again.',
        isSecret: true,
      },
    }}
    send={async (body) => {
      const path = agentPath(agentId, 'channels', 'social');
      const connection = await ask<SocialConnection>(path, { method: 'POST', body });
      confirmDone(`Connected to @${connection.username}.`);
      onConnected(connection);
    }}
  />
);
