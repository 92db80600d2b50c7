import { bySourceType } from '../../../core/knowledge/source-types.js';
import type { AgentProfile, AgentState } from '../../../core/ports/store/rows.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../connect.js';
import { bigint, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

const own = {
  id: primary(uuid),
  workspaceId: uuid,
  name: text(),
  url: orNull(text()),
  settings: json<JsonObject>(),
  version: integer,
  knowledgeVersion: integer,
  removals: integer,
  embeddedAs: orNull(text()),
  embeddedVersion: integer,
  analysis: integer,
  jobs: integer,
  createdAt: bigint,
  lastTrainedAt: orNull(bigint),
  retrainBaseAt: orNull(bigint),
  nextDueAtMs: orNull(bigint),
};

/** How many documents it has of each type: a column each, named as the type. */
const counts = bySourceType(() => integer);

export const agents = table('agents', { ...own, ...counts });

const ownColumns = table('agents', own);
const countColumns = table('agents', counts);

/** How many documents an agent has, as SQL. */
export const documentsCount = countColumns.columns.join(' + ');

/** All that an agent's state is read from: its settings may be hundreds of kilobytes, and are read by themselves. */
export const agentFields = agents.list({ except: ['settings', 'analysis'] });

export const agentOf = (row: Row): AgentState => ({
  ...ownColumns.decode(row),
  documents: countColumns.decode(row),
});

const profile = table('agents', {
  id: own.id,
  name: own.name,
  url: own.url,
  createdAt: own.createdAt,
  settings: own.settings,
});

/** All that an agent is shown with. */
export const profileFields = profile.list();
export const profileOf = (row: Row): AgentProfile => profile.decode(row);

/** An agent's state as the model writes it. */
export const agentColumns = ({ documents, ...state }: AgentState): Record<string, unknown> => ({
  ...ownColumns.encode(state),
  ...countColumns.encode(documents),
});
