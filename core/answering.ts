import type { AnswerMetrics } from './chat/answer-metrics.js';
import type { Answerer } from './chat/answerer.js';
import { createAnswerer } from './chat/create-answerer.js';
import type { AnswerFigures } from './conversations/answer-figures.js';
import {
  type ConversationSettings,
  type Conversations,
  createConversations,
} from './conversations/conversations.js';
import type { Clock } from './ports/clock.port.js';
import type { Embedding } from './ports/embedding.port.js';
import type { Log } from './ports/log.port.js';
import type { Model } from './ports/model.port.js';
import type { Retrieval } from './ports/retrieval.port.js';
import type { Store } from './ports/store/store.port.js';
import type { ToolSchemas } from './ports/tool-schemas.port.js';
import { createFindPassages } from './retrieval/find-passages.js';
import { createSearch, type Search } from './retrieval/search.js';
import { type FusionOutcome, fusedSearch } from './retrieval/vectors/fused-search.js';
import { createDayCounts, type DayCounts } from './visitors/day-counts.js';

/** Settings that affect answers. */
export interface AnsweringSettings {
  retrieval: { maxContextTokens: number };
  chat: ConversationSettings;
  models: { default: string; visitorShare: number };
}

interface AnsweringParts {
  store: Pick<Store, 'responses' | 'conversations' | 'visitors' | 'reads'>;
  toolSchemas: Pick<ToolSchemas, 'argumentProblems'>;
  ports: { model: Model; embedding: Embedding; retrieval: Pick<Retrieval, 'search' | 'nearest'> };
  settings: AnsweringSettings;
  clock: Clock;
  metrics: {
    models: AnswerMetrics;
    answer: (figures: AnswerFigures) => void;
    fusion: (outcome: FusionOutcome) => void;
  };
  log: Log;
  /** Tests: replaces the answerer that is built from the ports. */
  answerer?: Answerer;
}

/** Builds search and conversations from their ports, for the service and for commands. */
export function createAnswering(parts: AnsweringParts): {
  search: Search;
  conversations: Conversations;
  answerer: Answerer;
  dayCounts: DayCounts;
} {
  const { store, ports, settings, clock, metrics, log } = parts;
  const engine = fusedSearch({
    engine: ports.retrieval,
    embedding: ports.embedding,
    onSearch: metrics.fusion,
    log,
  });
  const search = createSearch(engine, store.reads);
  const { maxContextTokens } = settings.retrieval;
  const answerer =
    parts.answerer ??
    createAnswerer({
      model: ports.model,
      toolSchemas: parts.toolSchemas,
      findPassages: createFindPassages({ search, reads: store.reads, maxContextTokens }),
      settings: {
        defaultModel: settings.models.default,
        visitorShare: settings.models.visitorShare,
        historyTokens: settings.chat.historyTokens,
      },
      metrics: metrics.models,
    });
  const dayCounts = createDayCounts({ visitors: store.visitors, clock, log });
  const conversations = createConversations({
    store: store.conversations,
    responses: store.responses,
    dayCounts,
    answerer,
    settings: settings.chat,
    clock,
    onAnswer: metrics.answer,
    log,
  });
  return { search, conversations, answerer, dayCounts };
}
