import { agentPath, ask } from '../../../api/request.js';
import type { SocialConnection } from '../../../api/types.js';
import { ConfirmButton } from '../../../parts/confirm.js';
import { Fact } from '../../../parts/fact.js';
import { When } from '../../../parts/figures.js';
import { Permitted } from '../../../parts/permitted.js';
import { channelFailureTexts } from './channel-failures.js';
import { TokenForm } from './connect.js';

const permissionNames = { messages: 'Messages', comments: 'Comments' } as const;

interface ConnectionProps {
  agentId: string;
  connection: SocialConnection;
  onChange: (connection: SocialConnection) => void;
}

/** The state of the connection, with buttons to renew or end it. */
export function Connection({ agentId, connection, onChange }: ConnectionProps) {
  const { connected, username, accountId, connectedAt, tokenExpiresAt, reconnectReason } = connection;
  const permissions = connection.permissions ?? [];
  return (
    <section class="panel settings" aria-labelledby="social-connection">
      <div class="heading">
        <h2 id="social-connection">@{username}</h2>
        <span class={`state ${connected ? 'ready' : 'failed'}`}>
          {connected ? 'Connected' : 'Not connected'}
        </span>
      </div>
      {!connected && (
        <p class="notice bad">
          {reconnectReason ? channelFailureTexts[reconnectReason] : 'The platform refused the token.'} Until
          then, the agent receives and sends nothing here.
        </p>
      )}
      {connected && !permissions.includes('comments') && (
        <p class="notice">
          The token lacks the permission for comments, so automations cannot react to them. Connect again with
          a token that has it.
        </p>
      )}
      <dl class="facts">
        <Fact name="Account">
          <code>{accountId}</code>
        </Fact>
        <Fact name="Permissions">{permissions.map((name) => permissionNames[name]).join(', ')}</Fact>
        <Fact name="Connected">
          <When seconds={connectedAt ?? null} />
        </Fact>
        <Fact name="Token expires">
          <When seconds={tokenExpiresAt ?? null} />
          {connected && tokenExpiresAt != null && '; it is renewed before'}
        </Fact>
      </dl>
      {connected ? (
        <details>
          <summary>Replace the token</summary>
          <TokenForm agentId={agentId} onConnected={onChange} />
        </details>
      ) : (
        <TokenForm agentId={agentId} onConnected={onChange} />
      )}
      <div class="actions">
        <Permitted needs="channels.connect" what="disconnecting it">
          <ConfirmButton
            label="Disconnect"
            title={`Disconnect @${username}?`}
            verb="Disconnect account"
            work={() => ask(agentPath(agentId, 'channels', 'social'), { method: 'DELETE' })}
            done={`@${username} was disconnected.`}
            onDone={() => onChange({ connected: false })}
          >
            <p>
              The token is erased, messages that wait are not sent, live automations become drafts, and the
              menu and the starters are removed from the platform. Conversations stay.
            </p>
          </ConfirmButton>
        </Permitted>
      </div>
    </section>
  );
}
