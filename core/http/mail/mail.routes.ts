import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { existing, invalidField } from '../../errors/api-error.js';
import { letterOf } from '../../mail/letter.js';
import { type Letter, type Mail, MailFailure, mailFailureCodes } from '../../ports/mail.port.js';
import { nullable, oneOf } from '../../schemas/shapes.js';
import { ok, type Route, route } from '../route.js';

/** Maximum time for the test, in milliseconds. */
const LONGEST_MS = 28_000;

const mailTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the mail server has accepted the e-mail' }),
    error: nullable(
      Type.Object({ code: oneOf(mailFailureCodes), message: Type.String() }, { $id: 'MailError' }),
    ),
  },
  { $id: 'MailTest' },
);

/** Sends an e-mail. Returns the failure; null if it was accepted. */
async function failureOf(mail: Mail, letter: Letter): Promise<MailFailure | null> {
  const ended = new AbortController();
  const tooLong = sleep(LONGEST_MS, undefined, { signal: ended.signal }).then(
    () => new MailFailure('MAIL_UNREACHABLE', 'The mail server takes too long.'),
    () => null,
  );
  try {
    return await Promise.race([mail.send(letter).then(() => null), tooLong]);
  } catch (error) {
    if (error instanceof MailFailure) return error;
    throw error;
  } finally {
    ended.abort();
  }
}

export const mailRoutes: Route[] = [
  route({
    id: 'testMail',
    method: 'POST',
    path: '/workspace/mail/test',
    extension: true,
    scope: 'workspace',
    permission: 'mail.test',
    summary: 'Send a test e-mail to the caller',
    description:
      'Shows within 30 seconds whether the mail server accepts e-mails. API keys have no address, so they are refused.',
    responses: { 200: mailTest },
    refusals: ['VALIDATION_INVALID_BODY'],
    idempotent: 'afterwards',
    async handle({ caller: { member } }, { mail, people, log }) {
      if (mail === null)
        throw invalidField('mail', 'is not configured: the operator sets mail.url and mail.from');
      const user = existing(await people.users.find(member?.userId ?? ''), 'RESOURCE_NOT_FOUND');
      const failure = await failureOf(mail, {
        id: randomUUID(),
        to: { name: user.name, address: user.email },
        ...letterOf({
          subject: 'Test e-mail',
          parts: [{ text: 'If you can read this, your installation of Cadre can send e-mails.' }],
        }),
      });
      if (failure) log.warn({ err: failure, code: failure.code }, 'a test e-mail was not accepted');
      return ok({ ok: failure === null, error: failure && { code: failure.code, message: failure.message } });
    },
  }),
];
