import type { Found } from '../../core/knowledge/text/passages.js';
import { searchInstallation } from './search-installation.js';

export interface AskedAgent {
  find(question: string): Promise<Found>;
  close(): Promise<void>;
}

/** An agent with these texts in a database of its own, with the real search over them. */
export async function askedAgent(url: string, texts: readonly string[]): Promise<AskedAgent> {
  const installation = await searchInstallation(url);
  const { agentId } = await installation.agentWith(texts.map((text) => ({ title: '', text })));
  const find = installation.finder();
  return { find: (question) => find(agentId, question), close: installation.close };
}
