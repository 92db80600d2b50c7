import { createHash } from 'node:crypto';
import type { FailedTarget, FailureRow } from '../../../core/ports/store/agents/failures.js';
import type { FailureCode } from '../../../core/tasks/failures.js';
import type { Row } from '../database/connection.js';
import { bigint, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const failures = table('failures', {
  id: primary(uuid),
  agentId: uuid,
  type: text<FailedTarget['type']>(),
  targetHash: text(),
  name: text(),
  url: orNull(text()),
  code: text<FailureCode>(),
  reason: text(),
  jobId: bigint,
  at: bigint,
});

export const targetHash = (target: FailedTarget): string =>
  createHash('sha256')
    .update(`${target.type} ${target.type === 'url' ? target.url : target.name}`)
    .digest('hex');

/** Lengths of the columns, in characters. A URL may be longer than a name. */
const NAME = 1000;
const REASON = 1000;

export const failureColumns = (agentId: string, failure: FailureRow): Record<string, unknown> =>
  failures.byColumn(
    failures.encode({
      ...failure,
      name: failure.name.slice(0, NAME),
      reason: failure.reason.slice(0, REASON),
      agentId,
      targetHash: targetHash(targetOf(failure)),
    }),
  );

const targetOf = ({ url, name }: FailureRow): FailedTarget =>
  url === null ? { type: 'file', name } : { type: 'url', url };

export function failureOf(row: Row): FailureRow {
  const { agentId: _, targetHash: __, ...failure } = failures.decode(row);
  return failure;
}
