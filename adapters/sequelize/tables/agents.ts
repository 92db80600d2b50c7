import { bySourceType } from '../../../core/knowledge/sources/source-types.js';
import type { AgentState } from '../../../core/ports/store/rows.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../database/connection.js';
import { bigint, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

/** The columns of an agent that a turn caches and writes back. */
const state = {
  id: primary(uuid),
  workspaceId: uuid,
  name: text(),
  url: orNull(text()),
  version: integer,
  knowledgeVersion: integer,
  removals: integer,
  embeddedAs: orNull(text()),
  embeddedVersion: integer,
  jobs: integer,
  createdAt: bigint,
  lastTrainedAt: orNull(bigint),
  retrainBaseAt: orNull(bigint),
  retrainDueAt: orNull(bigint),
  retrainedAt: orNull(bigint),
  nextDueAtMs: orNull(bigint),
};

/** Written separately: a cached state would overwrite newer values. */
const apart = { settings: json<JsonObject>(), analysis: integer };

/** Number of documents by type: one column per type, with the type's name. */
const counts = bySourceType(() => integer);

export const agents = table('agents', { ...state, ...apart, ...counts });

const stateColumns = table('agents', state);
const countColumns = table('agents', counts);

export const documentsCount = countColumns.columns.join(' + ');

/** The columns of an agent's state. Its settings may be hundreds of kilobytes and are read separately. */
export const agentFields = agents.list({ except: ['settings', 'analysis'] });

export const agentOf = (row: Row): AgentState => ({
  ...stateColumns.decode(row),
  documents: countColumns.decode(row),
});

/** Encodes an agent's state for the model. */
export const agentColumns = ({ documents, ...own }: AgentState): Record<string, unknown> => ({
  ...stateColumns.encode(own),
  ...countColumns.encode(documents),
});

/** Returns the columns that differ between two states. */
export function changedColumns(before: AgentState, after: AgentState): Record<string, unknown> {
  const { documents = before.documents, ...own } = changedIn(before, after);
  return agents.byColumn({
    ...stateColumns.encode(own),
    ...countColumns.encode(changedIn(before.documents, documents)),
  });
}

function changedIn<T extends object>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const name in after) if (after[name] !== before[name]) changed[name] = after[name];
  return changed;
}
