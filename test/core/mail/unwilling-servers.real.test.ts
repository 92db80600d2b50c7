import { openSmtp } from '../../../adapters/smtp/index.js';
import { newOwner } from '../../support/browser.js';
import { publicUrl } from '../../support/mailing.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { type OnData, testMailServer } from '../../support/smtp.js';
import { until } from '../../support/until.js';

const smtp = (port: number) =>
  openSmtp({ url: `smtp://127.0.0.1:${port}`, from: 'help@acme.example', replyTo: null, password: null });

const settings = { http: { publicUrl }, mail: { perMinute: 6000 } };

// A server that hangs is given up after 30 s of silence.
await onEachEngine('servers that drop, refuse or hang', async (t, engine) => {
  /** What the server does with the next texts; it accepts further ones. */
  const plan: OnData[] = [];
  let texts = 0;
  const { port, received } = await testMailServer(t, {
    does: () => {
      texts += 1;
      return plan.shift() ?? 'accept';
    },
  });
  let passed = 0;
  const clock = { now: () => Date.now() + passed };
  const service = await startTestService(t, { engine, mail: smtp(port), settings, clock });
  const { browser, workspaceId } = await newOwner(service);
  let people = 0;
  /** Mails an invitation, and returns how often its text arrived and was accepted. */
  async function mailed(...does: OnData[]) {
    plan.push(...does);
    people += 1;
    const email = `person-${people}@acme.example`;
    const before = texts;
    const made = await browser.api(workspaceId, 'POST', '/members', { email, role: 'viewer' });
    if (made.status !== 201) throw new Error(made.text);
    return {
      attempts: () => texts - before,
      accepted: () => received.filter(({ to }) => to.includes(email)).length,
    };
  }
  const attempted = (mail: { attempts(): number }, times: number) =>
    until(`attempt ${times}`, () => mail.attempts() >= times);
  const isOver = async () => (await service.store.mails.counts()).waiting === 0;
  /** Lets the pause after a failure pass, once the failure is stored. */
  async function pass(minutes: number): Promise<void> {
    const due = async () => ((await service.store.mails.counts()).oldestDueAtMs ?? 0) > clock.now();
    await until('the end of the attempt', due);
    passed += minutes * 60_000 + 1000;
  }

  await t.test('a connection cut after the text is tried again once', async (t) => {
    const lucky = await mailed('drop');
    await attempted(lucky, 1);
    await pass(5);
    await until('the end', isOver);
    t.strictSame([lucky.attempts(), lucky.accepted()], [2, 1]);

    const unlucky = await mailed('drop', 'drop');
    await attempted(unlucky, 1);
    await pass(5);
    await until('the end', isOver);
    t.strictSame([unlucky.attempts(), unlucky.accepted()], [2, 0], 'a third might arrive twice');
  });

  await t.test('a refused e-mail is tried for two days', async (t) => {
    const mail = await mailed(...Array<OnData>(6).fill('refuse'));
    for (const [n, minutes] of [5, 15, 60, 240, 720, 1440].entries()) {
      await attempted(mail, n + 1);
      await pass(minutes);
    }
    await until('the end', isOver);
    t.strictSame([mail.attempts(), mail.accepted()], [7, 1]);
  });

  await t.test('a server that hangs holds up only mails', async (t) => {
    const mail = await mailed('hang');
    await attempted(mail, 1);
    t.equal((await browser.api(workspaceId, 'GET', '/me')).status, 200);
    t.notOk(await isOver(), 'the attempt is under way');
    await pass(5);
    await until('the end', isOver);
    t.strictSame([mail.attempts(), mail.accepted()], [2, 1]);
  });
});

await onEachEngine('two processes send each e-mail once', async (t, engine) => {
  const { port, received } = await testMailServer(t);
  const mail = smtp(port);
  const service = await startTestService(t, { engine, mail, settings });
  await service.beside({ mail, settings });
  const { browser, workspaceId } = await newOwner(service);
  const addresses = Array.from({ length: 15 }, (_, n) => `many-${n}@acme.example`);
  await Promise.all(
    addresses.map((email) => browser.api(workspaceId, 'POST', '/members', { email, role: 'viewer' })),
  );
  await until('an empty outbox', async () => (await service.store.mails.counts()).waiting === 0);
  t.strictSame(received.flatMap(({ to }) => to).sort(), addresses.toSorted());
  const ids = received.map(({ source }) => /^Message-ID: (.+)$/im.exec(source)?.[1]);
  t.equal(new Set(ids).size, addresses.length);
});
