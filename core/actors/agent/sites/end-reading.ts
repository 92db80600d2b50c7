import { seconds } from '../../../ports/clock.port.js';
import type { AgentTurnContext } from '../handler.js';

/** Ends the reading of a site with its job. Returns whether a page was read. */
export async function endReading(
  { turn, rules }: AgentTurnContext,
  jobId: number,
  isCancelled: boolean,
): Promise<boolean> {
  const reading = await turn.sites.reading(jobId);
  if (!reading) return false;
  await turn.sites.keepReading({ ...reading, pausedAt: null });
  if (!isCancelled && (await turn.sites.find(reading.siteId)))
    await turn.sites.update(reading.siteId, { lastAt: seconds(rules.clock.now()) });
  return reading.read + reading.unchanged > 0;
}
