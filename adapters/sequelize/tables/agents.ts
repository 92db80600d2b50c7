import type { AgentState } from '../../../core/ports/store/rows.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../connect.js';
import { bigint, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const agents = table('agents', {
  id: primary(uuid),
  workspaceId: uuid,
  name: text(),
  url: orNull(text()),
  settings: json<JsonObject>(),
  version: integer,
  knowledgeVersion: integer,
  removals: integer,
  analysis: integer,
  webCrawl: integer,
  fileUpload: integer,
  textSnippet: integer,
  qnaEntry: integer,
  jobs: integer,
  createdAt: bigint,
  lastTrainedAt: orNull(bigint),
  retrainBaseAt: orNull(bigint),
  nextDueAtMs: orNull(bigint),
});

/** All that an agent's state is read from: its settings may be hundreds of kilobytes, and are read by themselves. */
export const agentFields = agents.list({ except: ['settings', 'analysis'] });

export function agentOf(row: Row): AgentState {
  const { webCrawl, fileUpload, textSnippet, qnaEntry, ...state } = agents.decode(row);
  return {
    ...state,
    documents: {
      web_crawl: webCrawl,
      file_upload: fileUpload,
      text_snippet: textSnippet,
      qna_entry: qnaEntry,
    },
  };
}

/** An agent's state as the model writes it. */
export const agentColumns = ({ documents, ...state }: AgentState): Record<string, unknown> =>
  agents.encode({
    ...state,
    webCrawl: documents.web_crawl,
    fileUpload: documents.file_upload,
    textSnippet: documents.text_snippet,
    qnaEntry: documents.qna_entry,
  });
