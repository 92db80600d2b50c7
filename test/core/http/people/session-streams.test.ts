import type { IncomingMessage } from 'node:http';
import { createSessionCallers } from '../../../../core/http/auth/session-callers.js';
import { hashToken } from '../../../../core/people/tokens.js';
import { silentLog } from '../../../../core/ports/log.port.js';
import { newOwner } from '../../../support/browser.js';
import { startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';

/** Callers over the sessions of a service, and a request of its owner. */
async function watching(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t);
  const { browser, workspaceId } = await newOwner(service);
  const { people } = service.store;
  const token = browser.cookies.get('cadre') ?? '';
  const callers = createSessionCallers({
    ...people,
    entitlementsOf: () => ({ features: { apiAccess: true } }) as never,
    namesOf: () => ({ session: 'cadre', device: 'cadre-device', oidc: 'cadre-oidc', isSecure: false }),
    originOf: () => service.baseUrl,
    cacheTtlSeconds: 0,
    idleSeconds: 3600,
    clock: { now: Date.now },
    log: silentLog,
  });
  const headers = { cookie: `cadre=${token}`, 'cadre-workspace': workspaceId };
  const request = { method: 'GET', url: '/console/api/v2/me', headers } as unknown as IncomingMessage;
  const signedIn = await people.sessions.find(hashToken(token));
  return { callers, request, people, workspaceId, session: signedIn?.session, user: signedIn?.user };
}

t.test('a stream ends if the session ended before the stream began', async (t) => {
  const { callers, request, people, session, user } = await watching(t);
  const caller = await callers.authenticate(request);
  t.equal(await people.sessions.end(user?.id ?? '', session?.id ?? ''), true);
  let isEnded = false;
  callers.watch(request, caller, () => {
    isEnded = true;
  });
  await callers.checkWatched();
  t.equal(isEnded, true);
});

t.test('a stream ends if the rights were changed before the stream began', async (t) => {
  const { callers, request, people, workspaceId } = await watching(t);
  const { member, ...caller } = await callers.authenticate(request);
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
  };
  const stop = callers.watch(request, { ...caller, member }, end);
  await callers.checkWatched();
  t.equal(isEnded, false, 'not without a change');
  stop();
  const second = { email: 'grace@acme.example', name: 'Grace', role: 'owner', agentIds: null } as const;
  const ids = { id: workspaceId, userId: workspaceId, workspaceId, joinedAt: 1, createdAt: 1 };
  await people.members.add({ ...ids, ...second }, null, 10);
  await people.members.change(workspaceId, member?.id ?? '', { role: 'viewer' }, () => {});
  callers.watch(request, { ...caller, member }, end);
  await callers.checkWatched();
  t.equal(isEnded, true);
});
