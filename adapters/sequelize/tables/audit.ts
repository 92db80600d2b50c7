import type { AuditActor, AuditRow } from '../../../core/ports/store/audit.js';
import type { Row } from '../database/connection.js';
import { bigint, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

const audit = table('audit', {
  id: primary(uuid),
  workspaceId: uuid,
  at: bigint,
  actorType: text<AuditActor['type']>(),
  actorId: orNull(uuid),
  actorLabel: text(),
  action: text(),
  targetType: text(),
  targetId: orNull(text()),
  targetLabel: orNull(text()),
  agentId: orNull(uuid),
  changes: json<AuditRow['changes']>(),
  requestId: orNull(text()),
  address: orNull(text()),
});

export const auditColumns = ({ actor, target, ...row }: AuditRow): Record<string, unknown> =>
  audit.byColumn(
    audit.encode({
      ...row,
      actorType: actor.type,
      actorId: actor.id,
      actorLabel: actor.label,
      targetType: target.type,
      targetId: target.id,
      targetLabel: target.label,
    }),
  );

export function auditRowOf(row: Row): AuditRow {
  const { actorType, actorId, actorLabel, targetType, targetId, targetLabel, ...rest } = audit.decode(row);
  return {
    ...rest,
    actor: { type: actorType, id: actorId, label: actorLabel },
    target: { type: targetType, id: targetId, label: targetLabel },
  };
}
