import { type Clock, seconds } from '../ports/clock.port.js';
import type { ChannelFlow, Claim, EventRow } from '../ports/store/channel-flow.js';
import { isUuid } from '../schemas/uuid.js';
import { hashOf } from './new-message.js';
import type { SentMessages } from './sent-messages.js';
import type { TakeOver } from './take-over.js';

export interface EchoRounds {
  handle(claim: Claim): Promise<'ended' | { counts: boolean }>;
}

/** Looks of an echo at messages that are being sent, before it counts as a person's. */
const MOST_LOOKS = 3;

/** Tells echoes of our messages from those of people, who take the conversation over. */
export function createEchoRounds({
  flow,
  sent,
  takeOver,
  clock,
}: {
  flow: ChannelFlow;
  sent: SentMessages;
  takeOver: TakeOver;
  clock: Clock;
}): EchoRounds {
  /** Returns false if it cannot be decided yet. */
  async function handleOne(claim: Claim, event: EventRow): Promise<boolean> {
    const { body, personId, tries } = event;
    const { agentId } = claim.connection;
    if (body.kind !== 'echo') return true;
    const upstreamHash = hashOf(body.messageId);
    if (body.deliveryId !== null && isUuid(body.deliveryId)) {
      const ours = await flow.outgoing(agentId, body.deliveryId);
      if (ours) await sent.confirm(ours, { upstreamHash, personId });
      // Without a row, it is a message of a conversation that was deleted.
      return true;
    }
    if (await flow.knowsUpstream(agentId, upstreamHash)) return true;
    if (tries < MOST_LOOKS && (await flow.isSendingTo(agentId, personId))) return false;
    await takeOver.byPerson(claim, event, body.text);
    return true;
  }

  return {
    async handle(claim) {
      for (const event of claim.events) {
        if (!(await handleOne(claim, event))) return { counts: true };
        await flow.end(claim, [event.id], { status: 'done', reason: null, now: seconds(clock.now()) });
      }
      return 'ended';
    },
  };
}
