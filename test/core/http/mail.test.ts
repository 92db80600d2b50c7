import { openSmtp } from '../../../adapters/smtp/index.js';
import { newMember, newOwner } from '../../support/browser.js';
import { startTestService } from '../../support/service.js';
import { testMailServer } from '../../support/smtp.js';
import t from '../../support/t.js';

const smtp = (port: number) =>
  openSmtp({ url: `smtp://127.0.0.1:${port}`, from: 'help@acme.example', replyTo: null, password: null });

t.test('an admin can send a test e-mail to themselves', async (t) => {
  const { port, received } = await testMailServer(t);
  const service = await startTestService(t, { mail: smtp(port) });
  const owner = await newOwner(service);
  const { browser, workspaceId, email, apiKey } = owner;
  const test = () => browser.api(workspaceId, 'POST', '/workspace/mail/test');
  t.match(await test(), { status: 200, body: { ok: true, error: null } });
  t.strictSame(received[0]?.to, [email]);
  t.match(received[0]?.text, 'can send e-mails');
  const workspace = await browser.api(workspaceId, 'GET', '/workspace');
  t.match(workspace.body, { mail: { configured: true } });
  t.equal((await service.api(apiKey).post('/workspace/mail/test')).status, 403, 'a key has no address');
  const editor = await newMember(service, owner, { role: 'editor' });
  t.equal((await editor.browser.api(workspaceId, 'POST', '/workspace/mail/test')).status, 403);
});

t.test('the failure of a test e-mail is told in words', async (t) => {
  const { port } = await testMailServer(t, { does: 'refuse' });
  const service = await startTestService(t, { mail: smtp(port) });
  const { browser, workspaceId } = await newOwner(service);
  t.match((await browser.api(workspaceId, 'POST', '/workspace/mail/test')).body, {
    ok: false,
    error: { code: 'MAIL_REFUSED', message: /rejects the e-mail.*spam/ },
  });
});

t.test('without a mail server, the test says what to do', async (t) => {
  const service = await startTestService(t);
  const { browser, workspaceId } = await newOwner(service);
  t.match(await browser.api(workspaceId, 'POST', '/workspace/mail/test'), {
    status: 400,
    body: { error: { details: { fieldErrors: { mail: [/mail\.url/] } } } },
  });
  t.match((await browser.api(workspaceId, 'GET', '/workspace')).body, { mail: { configured: false } });
});
