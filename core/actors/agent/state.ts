import type { AgentState } from '../../ports/store.port.js';

type NewAgent = Pick<AgentState, 'id' | 'workspaceId' | 'name' | 'url' | 'createdAt'>;

export const emptyAgent = (agent: NewAgent): AgentState => ({
  ...agent,
  settings: {},
  version: 1,
  documents: { web_crawl: 0, file_upload: 0, text_snippet: 0, qna_entry: 0 },
  jobs: 0,
  lastTrainedAt: null,
  retrainBaseAt: null,
  nextDueAtMs: null,
});

export const documentCount = ({ documents }: AgentState): number =>
  Object.values(documents).reduce((sum, n) => sum + n, 0);
