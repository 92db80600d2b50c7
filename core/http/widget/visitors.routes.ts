import { randomBytes } from 'node:crypto';
import { existing } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import { deleted } from '../../schemas/shapes.js';
import { created, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import {
  chatTokenBody,
  chatTokenSchema,
  identitySecretSchema,
  identitySecretStatus,
} from './visitor.schema.js';
import type { WidgetAccess } from './widget-access.js';

const SECRET_BYTES = 32;

/** Throws 404 while the widget is disabled. */
const accessOf = ({ widget }: Services): WidgetAccess => existing(widget, 'RESOURCE_NOT_FOUND');

const newSecret = (): Buffer => Buffer.from(randomBytes(SECRET_BYTES).toString('base64url'));

export const chatTokenRoutes: Route[] = [
  route({
    id: 'createChatToken',
    method: 'POST',
    path: '/agents/:agentId/chat/tokens',
    extension: true,
    scope: 'agentId',
    permission: 'chatTokens.create',
    summary: 'Create a token for the browser of one user',
    description:
      "For front ends of your own: give the token to the user's browser, which sends it as `Authorization: Bearer TOKEN`. It allows only `chat`, `retryMessage`, `giveFeedback`, `followAnswer`, `stopAnswer`, and the conversations of that user. It expires after an hour, unless configured otherwise. Pages on the allowed domains of the agent may use it. Private agents have no tokens.",
    body: chatTokenBody,
    responses: { 201: chatTokenSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agentId, body: { userId } }, services) {
      const { openAgents, tokens, tokenTtlSeconds } = accessOf(services);
      const { id } = existing(await openAgents.find(agentId), 'AGENT_NOT_FOUND');
      const expiresAt = seconds(services.clock.now()) + tokenTtlSeconds;
      const visitor = { agentId: id, userId, origin: null, identitySecretId: null };
      return created({ token: await tokens.issue(visitor, expiresAt), expiresAt });
    },
  }),
];

const identitySecret = {
  path: '/agents/:agentId/identity-secret',
  extension: true,
  refusals: ['RESOURCE_NOT_FOUND'],
} as const;

export const identitySecretRoutes: Route[] = [
  route({
    ...identitySecret,
    id: 'getIdentitySecret',
    method: 'GET',
    scope: 'agent',
    permission: 'identitySecret.view',
    summary: 'Show whether visitors of the widget can be identified',
    description: 'Never returns the secret itself.',
    responses: { 200: identitySecretStatus },
    async handle({ agent }, services) {
      accessOf(services);
      const found = await services.agentSecrets.find(agent.id, 'identity');
      const now = seconds(services.clock.now());
      const isPreviousValid = (found?.previousUntil ?? 0) > now;
      return ok({
        enabled: found !== null,
        createdAt: found?.createdAt ?? null,
        previousUntil: isPreviousValid ? found?.previousUntil : null,
      });
    },
  }),
  route({
    ...identitySecret,
    id: 'rotateIdentitySecret',
    method: 'POST',
    scope: 'agentId',
    permission: 'identitySecret.change',
    summary: 'Create the identity secret, or rotate it; the old one stays valid for 24 hours',
    description:
      'With the secret, your server signs JWTs (HS256) that identify its users to the widget: `sub` is the user id, and `exp` is at most 24 hours ahead. The secret is shown only once.',
    idempotent: 'itself',
    responses: { 201: identitySecretSchema },
    async handle({ agentId, idempotency }, services) {
      accessOf(services);
      const { agents, keyring } = services;
      const { sealed } = await agents.send(agentId, {
        kind: 'rotateIdentitySecret',
        sealed: keyring.seal(agentId, newSecret()),
        requestHash: idempotency?.hash ?? null,
      });
      return created({ secret: Buffer.from(keyring.open(agentId, sealed)).toString() });
    },
  }),
  route({
    ...identitySecret,
    id: 'deleteIdentitySecret',
    method: 'DELETE',
    scope: 'agentId',
    permission: 'identitySecret.change',
    summary: 'Delete the identity secret, and end the tokens of identified visitors',
    description: 'After that, visitors are anonymous. Tokens of identified visitors end within 5 seconds.',
    responses: { 200: deleted },
    async handle({ agentId }, services) {
      accessOf(services);
      await services.agents.send(agentId, { kind: 'removeIdentitySecret' });
      return ok({ deleted: true });
    },
  }),
];
