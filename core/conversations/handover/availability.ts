import { handoverSettings } from '../../agent-settings/handover-settings.js';
import { withinHours } from '../../agent-settings/opening-hours.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { InboxReaders } from '../../ports/store/conversations/inbox.js';
import type { JsonObject } from '../../schemas/json.js';

/** Time for which a person counts as available after the inbox was closed, in seconds. */
const STILL_AVAILABLE_S = 120;

interface Agent {
  id: string;
  workspaceId: string;
}

export interface Availability {
  /** Whether a person has the inbox of this agent open, and is not away. */
  isInboxOpen(agent: Agent): Promise<boolean>;
  /**
   * Whether a visitor may ask this agent for a person now: it is enabled, it is within the hours, and a person is available
   * or gets an e-mail. Without hours, an e-mail may wait for days.
   */
  accepts(agent: Agent, settings: JsonObject): Promise<boolean>;
}

export function createAvailability({
  readers,
  hasMail,
  clock,
}: {
  readers: Pick<InboxReaders, 'isAnyAvailable'>;
  hasMail: boolean;
  clock: Clock;
}): Availability {
  const isInboxOpen = (agent: Agent): Promise<boolean> =>
    readers.isAnyAvailable(agent, seconds(clock.now()) - STILL_AVAILABLE_S);
  return {
    isInboxOpen,
    async accepts(agent, settings) {
      const { enabled, hours } = handoverSettings(settings);
      if (!enabled || !withinHours(hours, clock.now())) return false;
      return (hours !== null && hasMail) || isInboxOpen(agent);
    },
  };
}
