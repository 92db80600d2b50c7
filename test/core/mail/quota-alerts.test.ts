import { newMember, newOwner } from '../../support/browser.js';
import { mailing, publicUrl } from '../../support/mailing.js';
import { onEachEngine } from '../../support/service.js';
import { until } from '../../support/until.js';

await onEachEngine('admins are warned once at 90 % and at 100 % of an allowance', async (t, engine) => {
  const { service, received, mailTo, prove } = await mailing(t, { engine });
  const owner = await newOwner(service);
  const api = service.api(owner.apiKey);
  const editor = await newMember(service, owner, { role: 'editor' });
  for (const person of [owner, editor]) await prove(person);
  const before = received.length;
  const { workspaces, quotaAlerts } = service.store;
  const alerts = async () =>
    (await quotaAlerts.usage('2026-01-01', '', 500))
      .flatMap((usage) => usage.alerts)
      .map(({ percent }) => percent)
      .sort();
  const ids: string[] = [];
  const create = async (count: number) => {
    for (let n = 0; n < count; n++)
      ids.push((await api.post<{ id: string }>('/agents', { name: `Agent ${n}` })).body.id);
  };
  await workspaces.update(owner.workspaceId, () => ({ overrides: { limits: { agents: 10 } } }));
  await create(9);
  const warning = await mailTo(owner.email, /has used 90 %/, before);
  t.match(warning.text, 'has 9 agents. Its plan allows 10 agents.');
  t.match(warning.source.replace(/\r\n\s+/g, ' '), `List-Unsubscribe: <${publicUrl}/mail/stop/`);
  await create(1);
  await mailTo(owner.email, /has used 100 %/, before);
  t.equal(received.length - before, 2, 'only admins, and once for each mark');

  for (const id of ids.splice(0, 3)) await api.delete(`/agents/${id}`);
  await until('the warnings ended', async () => (await alerts()).length === 0);
  await Promise.all([create(3), service.beside()]);
  await until('another warning at 100 %', async () => (await alerts()).includes(100));
  await until('nothing waits', async () => (await service.store.mails.counts()).waiting === 0);
  t.strictSame(await alerts(), [100, 90]);
  const again = received.slice(before + 2).map(({ to }) => to[0]);
  t.ok(again.length >= 1 && again.length <= 2 && again.every((to) => to === owner.email));
});
