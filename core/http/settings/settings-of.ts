import type { AgentReads } from '../../ports/store/agent-reads.js';
import type { AgentState } from '../../ports/store/rows.js';
import { AgentGone } from '../../ports/store/store-errors.js';
import type { JsonObject } from '../../schemas/json.js';

/** The settings of an agent that the request has just found. Throws AgentGone when it was deleted since. */
export async function settingsOf(reads: AgentReads, { id }: AgentState): Promise<JsonObject> {
  const settings = await reads.settings(id);
  if (settings === null) throw new AgentGone(id);
  return settings;
}
