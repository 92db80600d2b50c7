import { openSmtp } from '../../../adapters/smtp/index.js';
import { MailFailure } from '../../../core/ports/mail.port.js';
import { testMailServer } from '../../support/smtp.js';
import t from '../../support/t.js';

const letter = {
  id: 'letter-1',
  to: { name: 'Ada', address: 'ada@acme.example' },
  subject: 'Hello',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
};
const open = (url: string, more: Partial<Parameters<typeof openSmtp>[0]> = {}) =>
  openSmtp({ url, from: 'Acme <help@acme.example>', replyTo: null, password: null, ...more });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof MailFailure ? error.code : String(error)),
  );

t.test('an e-mail arrives with a stable id, in text and HTML', async (t) => {
  const { port, received } = await testMailServer(t);
  const mail = open(`smtp://127.0.0.1:${port}`, { replyTo: 'boss@acme.example' });
  await mail.verify();
  await mail.send({ ...letter, stopUrl: 'https://acme.example/mail/stop/x' });
  const [mailed] = received;
  t.strictSame(mailed?.to, ['ada@acme.example']);
  for (const line of [
    'Message-ID: <letter-1@acme.example>',
    'From: Acme <help@acme.example>',
    'Reply-To: boss@acme.example',
    'List-Unsubscribe: <https://acme.example/mail/stop/x>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'Hello Ada',
    '<p>Hello Ada</p>',
  ])
    t.match(mailed?.text, line);
});

t.test('names and subjects cannot add headers or recipients', async (t) => {
  const { port, received } = await testMailServer(t);
  await open(`smtp://127.0.0.1:${port}`).send({
    ...letter,
    to: { name: 'Ada\r\nBcc: eve@evil.example', address: 'ada@acme.example' },
    subject: 'Hi\r\nBcc: eve@evil.example\r\n\r\nHidden text',
  });
  t.strictSame(received[0]?.to, ['ada@acme.example']);
  t.notMatch(received[0]?.source, /^Bcc:/im);
});

t.test('a user and a password are sent, over TLS where the server offers it', async (t) => {
  const { port, received } = await testMailServer(t, { password: 'secret' });
  await open(`smtp://ada:secret@127.0.0.1:${port}`).send(letter);
  await open(`smtp://ada@127.0.0.1:${port}`, { password: 'secret' }).send(letter);
  t.match(received, [
    { secure: true, user: 'ada' },
    { secure: true, user: 'ada' },
  ]);
  t.equal(await codeOf(open(`smtp://ada:wrong@127.0.0.1:${port}`).send(letter)), 'MAIL_AUTH');
});

t.test('failures are told apart', async (t) => {
  const refusing = await testMailServer(t, { does: 'refuse' });
  t.equal(await codeOf(open(`smtp://127.0.0.1:${refusing.port}`).send(letter)), 'MAIL_REFUSED');
  const dropping = await testMailServer(t, { does: 'drop' });
  t.equal(await codeOf(open(`smtp://127.0.0.1:${dropping.port}`).send(letter)), 'MAIL_UNCLEAR');
  t.equal(await codeOf(open('smtp://127.0.0.1:1').verify()), 'MAIL_UNREACHABLE');
});
