import { v7 as uuidv7 } from 'uuid';
import type { Agents } from '../actors/agent/agents.js';
import { inputRef } from '../actors/agent/embedding.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { EmbeddingModel } from '../ports/embedding.port.js';
import type { Log } from '../ports/log.port.js';
import { type Storage, StorageError } from '../ports/storage.port.js';
import type { KnowledgeReads, KnownDocument } from '../ports/store/knowledge-reads.js';
import { AgentGone, StoreUnavailable } from '../ports/store/store-errors.js';
import type { VectorSweeps } from '../ports/store/vectors.js';
import { encodeTexts } from '../tasks/embedding-input.js';
import type { Sweep } from './sweeper.js';

interface EmbeddingSweepOptions {
  sweeps: VectorSweeps;
  reads: Pick<KnowledgeReads, 'document'>;
  agents: Agents;
  storage: Pick<Storage, 'put' | 'delete'>;
  model: EmbeddingModel;
  /** An agent with more has no vectors. */
  mostChunks: number;
  clock: Clock;
  log: Log;
}

/** Tasks of all agents, and of one, that may be open at a time: pages and files share the windows with them. */
const OPEN = 16;
const OPEN_OF_AGENT = 4;
const AGENTS = 50;
/** Later than any time at which something may be asked for. */
const WHENEVER = Number.MAX_SAFE_INTEGER;
/** UTF-16 units of text that a task holds, if one document alone has not more. */
const TEXT_UNITS = 262_144;
const TOO_LARGE_MS = 5000;
/** An agent that was not looked at for so long is forgotten. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Asks for vectors of documents that have none in the model's space: new and changed ones, and all of them
 * after a start with another model. A task takes as many documents as make a batch.
 */
export function createEmbeddingSweep(options: EmbeddingSweepOptions): Sweep {
  const { sweeps, reads, agents, storage, model, mostChunks, clock, log } = options;
  const { space, batch } = model;
  /** Until when they are left alone: to look costs as much as to ask. */
  const tooLarge = new Map<string, number>();
  let after = '';
  let chose = false;

  /** As many of the agent's documents as make a task; none when nothing is to be asked for now. */
  async function nextDocuments(agentId: string): Promise<KnownDocument[]> {
    const ids = await sweeps.documentsToEmbed(agentId, space, seconds(clock.now()), batch);
    const documents: KnownDocument[] = [];
    let [chunks, units] = [0, 0];
    for (const documentId of ids) {
      if (chunks >= batch || units >= TEXT_UNITS) break;
      const document = await reads.document(agentId, documentId);
      if (document === null) continue;
      documents.push(document);
      chunks += document.chunks.length;
      units += document.text.length;
    }
    return documents;
  }

  /** False when there is nothing more to ask for now. */
  async function ask(agentId: string): Promise<boolean> {
    const documents = await nextDocuments(agentId);
    if (documents.length === 0) {
      tooLarge.delete(agentId);
      return false;
    }
    const chunks = documents.reduce((sum, document) => sum + document.chunks.length, 0);
    if (
      (await sweeps.chunks(
        agentId,
        documents.map(({ id }) => id),
      )) +
        chunks >
      mostChunks
    ) {
      tellTooLarge(agentId);
      return false;
    }
    const taskId = uuidv7();
    await storage.put(inputRef(taskId), encodeTexts(documents.flatMap(textsOf)));
    const named = documents.map(({ id, version, chunks: { length } }) => ({
      documentId: id,
      version,
      chunks: length,
    }));
    try {
      return (await agents.ask(agentId, { kind: 'embed', taskId, space, documents: named })).opened;
    } catch (error) {
      // Then no row knows of the texts. Where the database is away or busy, the turn may have been written.
      if (!(error instanceof StoreUnavailable)) await storage.delete(inputRef(taskId)).catch(() => {});
      throw error;
    }
  }

  function tellTooLarge(agentId: string): void {
    if (!tooLarge.has(agentId))
      log.warn(
        { agentId, mostChunks },
        'an agent has more chunks than retrieval.maxVectorChunks: it is searched by words alone',
      );
    tooLarge.set(agentId, clock.now() + TOO_LARGE_MS);
  }

  /** Resolves to how many tasks it opened. */
  async function advance(agentId: string, places: number): Promise<number> {
    if ((tooLarge.get(agentId) ?? 0) > clock.now()) return 0;
    let opened = 0;
    while (opened < places && (await ask(agentId))) opened += 1;
    if (opened > 0 || places < OPEN_OF_AGENT || tooLarge.has(agentId)) return opened;
    // Failed documents that wait for their time are no reason for a turn.
    if ((await sweeps.documentsToEmbed(agentId, space, WHENEVER, 1)).length > 0) return opened;
    const { finished } = await agents.ask(agentId, { kind: 'finishEmbedding', space });
    if (finished)
      log.info({ agentId, space, left: await sweeps.left(space) }, 'all documents of an agent have vectors');
    return opened;
  }

  /**
   * The process that started last decides on the model: two that embed with different ones would
   * undo each other's work.
   */
  async function isOurs(): Promise<boolean> {
    if (!chose) await sweeps.choose(space);
    chose = true;
    return (await sweeps.chosen()) === space;
  }

  return {
    name: 'embed',
    everyMs: 1000,
    async run() {
      if (!(await isOurs())) return false;
      for (const [id, until] of tooLarge) if (until < clock.now() - FORGOTTEN_MS) tooLarge.delete(id);
      const open = await sweeps.open();
      let free = OPEN - [...open.values()].reduce((sum, n) => sum + n, 0);
      const waiting = await sweeps.agentsToEmbed(space, after, AGENTS);
      after = waiting.length < AGENTS ? '' : (waiting.at(-1) ?? '');
      let opened = 0;
      for (const agentId of waiting) {
        const places = Math.min(free, OPEN_OF_AGENT - (open.get(agentId) ?? 0));
        if (places <= 0) continue;
        const more = await advance(agentId, places).catch((error: unknown) => {
          // A fault of the storage or the database holds for all agents.
          if (error instanceof StorageError || error instanceof StoreUnavailable) throw error;
          if (!(error instanceof AgentGone))
            log.warn({ err: error, agentId }, 'vectors of an agent could not be asked for');
          return 0;
        });
        opened += more;
        free -= more;
      }
      return opened > 0 && free > 0;
    },
  };
}

/**
 * The text to embed for each chunk of a document. Its headings are included: where a chunk belongs says
 * much of what it means.
 */
const textsOf = ({ title, text, chunks }: KnownDocument): string[] =>
  chunks.map(({ start, end, headings }) => [title, ...headings, text.slice(start, end)].join('\n'));
