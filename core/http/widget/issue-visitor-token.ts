import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { ApiError, existing, invalidField } from '../../errors/api-error.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { AgentSecrets } from '../../ports/store/agents/agent-secrets.js';
import { limits } from '../../schemas/limits.js';
import type { Keyring } from '../../secrets/keyring.js';
import { readIdentity } from '../../visitors/identity.js';
import { admitsOrigin, type OpenAgent, type OwnAddress } from '../../visitors/open-agent.js';
import type { Renewal } from '../../visitors/tokens.js';
import { newAnonymousId } from '../../visitors/visitor.js';
import type { Permit } from '../limits/admission.js';
import type { MemoryBudget } from '../limits/memory-budget.js';
import { addressShare } from '../limits/memory-shares.js';
import { deliver, releaseWhenTaken } from '../pipeline/deliver.js';
import { readJsonObject } from '../pipeline/read-body.js';
import { ok } from '../route.js';
import { validInput } from '../validation/validate.js';
import { visitorBody } from './visitor.schema.js';
import type { WidgetAccess } from './widget-access.js';

/** Owner of the memory for these requests. */
const EVERYONE = { owner: '(visitors)', ofFree: 1 };

export interface TokenIssuing extends WidgetAccess {
  agentSecrets: Pick<AgentSecrets, 'find'>;
  keyring: Pick<Keyring, 'open'>;
  /** Returns the address of the client, or its network. */
  networkOf: (request: IncomingMessage) => string;
  /** Counts a token. Throws 503 if the address gets too many. */
  countToken: (network: string) => void;
  memory: MemoryBudget;
  bodyTimeoutMs: number;
  clock: Clock;
}

/** Serves `POST /widget/{agentId}/visitor`. `own` is the address of the widget's page. */
export async function issueVisitorToken(
  ctx: Context,
  { agentId, own, permit }: { agentId: string; own: OwnAddress; permit: Permit },
  issuing: TokenIssuing,
): Promise<void> {
  const network = issuing.networkOf(ctx.req);
  issuing.countToken(network);
  const agent = existing(await issuing.openAgents.find(agentId), 'AGENT_NOT_FOUND');
  const hold = issuing.memory.hold([addressShare(network), EVERYONE]);
  try {
    const sent = await readJsonObject(ctx, {
      hold,
      permit,
      timeoutMs: issuing.bodyTimeoutMs,
      maxBytes: limits.visitors.bodyBytes,
    });
    const { origin, renewal, identity } = validInput(visitorBody, sent, {}) as {
      origin: string;
      renewal?: string;
      identity?: string;
    };
    if (!admitsOrigin(agent, origin, own)) throw new ApiError('AGENT_NOT_FOUND');
    const issued =
      identity === undefined
        ? await anonymous(issuing, agent, { origin, renewal })
        : await identified(issuing, agent, { origin, identity });
    await deliver(ctx, ok(issued), hold);
  } catch (error) {
    hold.set(0);
    throw error;
  }
  releaseWhenTaken(ctx, hold);
}

/** Continues the chain of renewals, or begins one for a new visitor. */
async function anonymous(
  { tokens, tokenTtlSeconds, clock, isErased }: TokenIssuing,
  { id: agentId }: OpenAgent,
  { origin, renewal }: { origin: string; renewal: string | undefined },
) {
  const now = seconds(clock.now());
  const known = renewal === undefined ? null : await tokens.readRenewal(renewal, agentId);
  const continues = known !== null && !(await isErased({ agentId, userId: known.userId }, known.firstAt));
  const chain: Renewal = continues ? known : { userId: newAnonymousId(), firstAt: now };
  const { userId } = chain;
  const expiresAt = now + tokenTtlSeconds;
  const token = await tokens.issue({ agentId, userId, origin, identitySecretId: null }, expiresAt);
  return { token, expiresAt, userId, renewal: await tokens.issueRenewal(agentId, chain) };
}

async function identified(
  { tokens, tokenTtlSeconds, clock, agentSecrets, keyring }: TokenIssuing,
  { id: agentId }: OpenAgent,
  { origin, identity }: { origin: string; identity: string },
) {
  const now = seconds(clock.now());
  const stored = await agentSecrets.find(agentId, 'identity');
  const isPreviousValid = stored?.previousSecret && (stored.previousUntil ?? 0) > now;
  const sealed = stored ? [stored.secret, ...(isPreviousValid ? [stored.previousSecret] : [])] : [];
  const secrets = sealed.flatMap((secret) => (secret ? [keyring.open(agentId, secret)] : []));
  const found = await readIdentity(identity, secrets, { agentId, now });
  if (!found.ok) throw invalidField('identity', found.problem);
  const { userId } = found;
  const expiresAt = Math.min(now + tokenTtlSeconds, found.expiresAt);
  const visitor = { agentId, userId, origin, identitySecretId: stored?.id ?? null };
  return { token: await tokens.issue(visitor, expiresAt), expiresAt, userId, renewal: null };
}
