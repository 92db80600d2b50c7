import type { Claim } from '../ports/store/channels/channel-flow.js';

/** Handles claimed events of one kind. */
export interface EventHandler {
  /** `counts`: the events are not done, and the attempt counts as one of those before they are given up. */
  handle(claim: Claim): Promise<'ended' | { counts: boolean }>;
}
