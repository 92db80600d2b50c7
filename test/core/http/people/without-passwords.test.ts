import { newLink } from '../../../../core/people/links.js';
import { newMember, newOwner, testBrowser, testPassword } from '../../../support/browser.js';
import { onEachEngine, startTestService, type TestService } from '../../../support/service.js';

const another = 'another long phrase';

/** A link for a new password, as the command line makes it. */
async function resetToken({ store }: TestService, email: string): Promise<string> {
  const user = await store.people.users.findByEmail(email);
  const endsAt = Math.floor(Date.now() / 1000) + 3600;
  const { link, token } = newLink('reset', endsAt, { userId: user?.id ?? null });
  await store.people.users.addLink(link);
  return token;
}

await onEachEngine('without passwords, only owners sign in with one', async (t, engine) => {
  const open = await startTestService(t, { engine });
  const owner = await newOwner(open);
  const editor = await newMember(open, owner, { role: 'editor' });
  const invited = await owner.browser.api<{ inviteUrl: string }>(owner.workspaceId, 'POST', '/members', {
    email: 'new@acme.example',
    role: 'viewer',
  });
  const closed = await open.beside({ settings: { signIn: { password: false } } });
  const browser = () => testBrowser(closed.baseUrl);
  const signIn = (email: string, password: string) => browser().session('/sign-in', { email, password });

  t.equal((await signIn(owner.email, testPassword)).status, 200);
  const refusals = await Promise.all([
    signIn(owner.email, another),
    signIn(editor.email, testPassword),
    signIn('nobody@acme.example', another),
  ]);
  for (const { status, text } of refusals) {
    t.equal(status, 403);
    t.equal(text.replace(/"requestId":"[^"]*"/, ''), refusals[0]?.text.replace(/"requestId":"[^"]*"/, ''));
  }
  const token = invited.body.inviteUrl.split('#')[1];
  const accepted = await browser().session('/invitation', { token, password: another, name: 'New' });
  t.equal(accepted.status, 403, 'an invitation sets no password');
  const reset = async (email: string) =>
    browser().session('/reset', { token: await resetToken(closed, email), password: another });
  t.equal((await reset(editor.email)).status, 403);
  t.equal((await reset(owner.email)).status, 200, 'the operator can let an owner in');
  t.equal((await signIn(owner.email, another)).status, 200);
});
