import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../../../ports/clock.port.js';
import type { AgentSecret } from '../../../ports/store/agents/agent-secrets.js';
import { RESPONSE_LIFETIME_S } from '../../../stored-responses.js';
import type { Handler } from '../handler.js';

/** How long the previous secret stays valid after a rotation, in seconds. */
export const BOTH_VALID_S = 86_400;

/** Rotates the secret. A repeated request gets the same secret again, because responses with secrets are not stored. */
export const rotateIdentitySecret: Handler<'rotateIdentitySecret'> = async (
  { turn, rules },
  { sealed, requestHash },
) => {
  const now = seconds(rules.clock.now());
  const before = await turn.secrets.find('identity');
  const isRepeated =
    before !== null &&
    requestHash !== null &&
    before.requestHash === requestHash &&
    before.createdAt >= now - RESPONSE_LIFETIME_S;
  if (isRepeated) return { sealed: before.secret };
  const secret: AgentSecret = {
    id: before?.id ?? uuidv7(),
    secret: sealed,
    previousSecret: before?.secret ?? null,
    previousUntil: before ? now + BOTH_VALID_S : null,
    requestHash,
    createdAt: now,
  };
  await turn.secrets.put('identity', secret);
  turn.changeSettings({ ...(await turn.settings()), identityVerification: { enabled: true } });
  return { sealed };
};

export const removeIdentitySecret: Handler<'removeIdentitySecret'> = async ({ turn }) => {
  if (!(await turn.secrets.find('identity'))) return null;
  await turn.secrets.remove('identity');
  const { identityVerification: _, ...settings } = await turn.settings();
  turn.changeSettings(settings);
  return null;
};
