import { Type } from '@sinclair/typebox';
import { count, orNull, section } from './setting-shapes.js';

/** The mail server. Without `mail.url`, Cadre sends no e-mails. */
export const mailSettings = section({
  url: orNull(
    Type.String({
      format: 'smtp-url',
      writeOnly: true,
      expects: 'a URL such as smtp://user@mail.acme.com:587 or smtps://mail.acme.com',
      description:
        'Mail server, with user and password if it needs them. `smtp:` upgrades to TLS (port 587), `smtps:` begins with TLS (port 465). A user and a password need TLS, except on the same machine. null: no e-mails are sent.',
    }),
  ),
  from: orNull(
    Type.String({
      format: 'mailbox',
      expects: 'an address such as Acme <help@acme.com>',
      description: 'Sender of the e-mails. Required with `mail.url`.',
    }),
  ),
  replyTo: orNull(
    Type.String({
      format: 'mailbox',
      expects: 'an address such as Acme <help@acme.com>',
      description: 'Where replies go. null: to the sender.',
    }),
  ),
  passwordFile: orNull(
    Type.String({
      minLength: 1,
      expects: 'the path of a file',
      description: 'File with the password for the mail server, instead of one in the URL.',
    }),
  ),
  perMinute: count('Maximum number of e-mails a minute, over all processes.', 'e-mails', 1, 10_000),
});
