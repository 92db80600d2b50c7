import type { MailKind, MailRow } from '../../../core/ports/store/mails.js';
import type { Row } from '../database/connection.js';
import { bigint, bytes, integer, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const mails = table('mails', {
  id: primary(uuid),
  kind: text<MailKind>(),
  userId: orNull(uuid),
  address: text(),
  name: text(),
  content: orNull(bytes),
  status: text<'waiting' | 'sending' | 'sent' | 'failed'>(),
  urgency: integer,
  tries: integer,
  unclear: integer,
  dueAtMs: bigint,
  error: orNull(text()),
  createdAt: bigint,
  endedAt: orNull(bigint),
  onceKey: orNull(text()),
});

export function mailOf(row: Row): MailRow {
  const { status: _, dueAtMs: __, error: ___, endedAt: ____, content, ...mail } = mails.decode(row);
  return { ...mail, content: content ?? new Uint8Array() };
}
