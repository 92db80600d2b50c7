import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import type { IdentitySecretStatus } from '../../../api/types.js';
import { useAction, useLoaded } from '../../../loading.js';
import { ConfirmButton } from '../../../parts/confirm.js';
import { CopyText } from '../../../parts/copy-text.js';
import { When } from '../../../parts/figures.js';
import { Problem } from '../../../parts/notice.js';
import { Permitted } from '../../../parts/permitted.js';
import { Secret } from '../../../parts/secret.js';

/** Creates, rotates and deletes the secret with which a site identifies its users. */
export function IdentitySecret({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'identity-secret');
  const { data, failure, reload } = useLoaded(
    (signal) => ask<IdentitySecretStatus>(path, { signal }),
    [path],
  );
  const creation = useAction();
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = () => ask<{ secret: string }>(path, { method: 'POST' });
  const show = (created: { secret: string }) => {
    setSecret(created.secret);
    reload();
  };
  return (
    <section class="panel" aria-labelledby="widget-identity">
      <h2 id="widget-identity">Identity of visitors</h2>
      <p>
        Visitors are anonymous unless your server identifies its users: it signs a token with the identity
        secret, and your page passes that to the widget.
      </p>
      <Problem failure={failure} retry={reload} />
      <Problem failure={creation.failure} />
      {data && <Status {...data} />}
      {data && (
        <Permitted needs="identitySecret.change" what="changing the secret">
          <div class="actions">
            {data.enabled ? (
              <>
                <ConfirmButton
                  label="Rotate secret"
                  class=""
                  title="Rotate the identity secret?"
                  verb="Rotate identity secret"
                  work={rotate}
                  onDone={show}
                >
                  <p>The old one stays valid for 24 hours, so that your server can switch.</p>
                </ConfirmButton>
                <ConfirmButton
                  label="Delete secret"
                  title="Delete the identity secret?"
                  verb="Delete identity secret"
                  work={() => ask(path, { method: 'DELETE' })}
                  done="The identity secret was deleted."
                  onDone={reload}
                >
                  <p>
                    Identified visitors lose access within seconds, and your server cannot identify its users.
                  </p>
                </ConfirmButton>
              </>
            ) : (
              <button
                type="button"
                disabled={creation.busy}
                onClick={() => void creation.run(() => rotate().then(show))}
              >
                Create secret
              </button>
            )}
          </div>
        </Permitted>
      )}
      <details>
        <summary>Example for a server</summary>
        <CopyText
          label="On your server, for a signed-in user (npm package jose)"
          text={serverExample(agentId)}
        />
        <CopyText label="On your page" text={pageExample} />
      </details>
      {secret !== null && (
        <Secret secret={secret} onClose={() => setSecret(null)}>
          Your server signs the tokens of its users with it.
        </Secret>
      )}
    </section>
  );
}

const Status = ({ enabled, createdAt, previousUntil }: IdentitySecretStatus) => (
  <p class="muted">
    {enabled ? (
      <>
        Secret created <When seconds={createdAt} />.
        {previousUntil !== null && (
          <>
            {' The previous secret is valid until '}
            <When seconds={previousUntil} />.
          </>
        )}
      </>
    ) : (
      'No secret. All visitors are anonymous.'
    )}
  </p>
);

const serverExample = (agentId: string): string => `import { SignJWT } from 'jose';

const secret = new TextEncoder().encode(process.env.CADRE_IDENTITY_SECRET);

// Valid for at most 24 hours
export const identityOf = (userId) =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setAudience('${agentId}')
    .setExpirationTime('1h')
    .sign(secret);`;

const pageExample = `window.cadre ??= (...call) => {
  (cadre.q ??= []).push(call);
};
cadre('identify', { token });
// When the user logs out:
cadre('reset');`;
