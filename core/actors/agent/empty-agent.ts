import { bySourceType } from '../../knowledge/sources/source-types.js';
import type { AgentState } from '../../ports/store/rows.js';
import { type AgentProfile, emptyDetails } from '../../schemas/agent-profile.js';

type NewAgent = Pick<AgentState, 'id' | 'workspaceId' | 'name' | 'createdAt'> & Partial<AgentProfile>;

export const emptyAgent = (agent: NewAgent): AgentState => ({
  ...emptyDetails,
  ...agent,
  version: 1,
  knowledgeVersion: 0,
  removals: 0,
  embeddedAs: null,
  embeddedVersion: 0,
  documents: bySourceType(() => 0),
  jobs: 0,
  lastTrainedAt: null,
  retrainBaseAt: null,
  retrainDueAt: null,
  retrainedAt: null,
  nextDueAtMs: null,
});
