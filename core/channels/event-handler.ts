import type { Claim } from '../ports/store/channels/channel-flow.js';

/** Handles claimed events of one kind. */
export interface EventHandler {
  /** Returns `ended`, or an object if the events must be retried. `counts`: the attempt counts towards the maximum. */
  handle(claim: Claim): Promise<'ended' | { counts: boolean }>;
}
