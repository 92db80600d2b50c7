import type { FieldChange, VersionOrigin, VersionRow } from '../../../core/ports/store/agents/versions.js';
import type { AuditActor } from '../../../core/ports/store/audit.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../database/connection.js';
import { bigint, integer, json, orNull, text, uuid } from './column.js';
import { table } from './table.js';

export const agentVersions = table('agent_versions', {
  agentId: uuid,
  number: integer,
  workspaceId: uuid,
  createdAt: bigint,
  actorType: text<AuditActor['type']>(),
  actorId: orNull(uuid),
  actorLabel: text(),
  origin: text<VersionOrigin>(),
  restored: orNull(integer),
  changes: json<FieldChange[]>(),
  settings: json<JsonObject>(),
  bytes: integer,
});

export const versionColumns = (
  agent: { id: string; workspaceId: string },
  { actor, ...version }: VersionRow,
): Record<string, unknown> =>
  agentVersions.byColumn(
    agentVersions.encode({
      ...version,
      changes: [...version.changes],
      agentId: agent.id,
      workspaceId: agent.workspaceId,
      actorType: actor.type,
      actorId: actor.id,
      actorLabel: actor.label,
      bytes: Buffer.byteLength(JSON.stringify([version.settings, version.changes])),
    }),
  );

export function versionOf(row: Row): VersionRow {
  const { agentId, workspaceId, bytes, actorType, actorId, actorLabel, ...version } =
    agentVersions.decode(row);
  return { ...version, actor: { type: actorType, id: actorId, label: actorLabel } };
}
