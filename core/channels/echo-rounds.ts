import { type Clock, seconds } from '../ports/clock.port.js';
import type { ChannelFlow, Claim, EventRow, OutgoingRow } from '../ports/store/channels/channel-flow.js';
import { isUuid } from '../schemas/uuid.js';
import type { EventHandler } from './event-handler.js';
import { hashOf } from './new-message.js';
import type { SentMessages } from './sent-messages.js';
import type { TakeOver } from './take-over.js';

/** Maximum number of checks of an echo whose origin is unclear, because a message is being sent to the same person. */
const MOST_LOOKS = 3;

/** Rows of unsent private replies, and of deleted messages, have no person. */
const isTo = (row: OutgoingRow, { accountId, personId }: EventRow): boolean =>
  row.accountId === accountId && (row.personId ?? personId) === personId;

/** Handles echoes: the echo of our own message confirms it; a person's message takes the conversation over. */
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
}): EventHandler {
  /** Returns false if the origin of the echo is not clear yet. */
  async function handleOne(claim: Claim, event: EventRow): Promise<boolean> {
    const { body, accountId, personId, tries } = event;
    const { agentId } = claim.connection;
    if (body.kind !== 'echo') return true;
    const upstreamHash = hashOf(body.messageId);
    // The delivery id may be another app's, which may use UUIDs, too.
    if (body.deliveryId !== null && isUuid(body.deliveryId)) {
      const row = await flow.outgoing(agentId, body.deliveryId);
      if (row && isTo(row, event)) {
        if (row.status !== 'deleted') await sent.confirm(row, { upstreamHash, personId });
        return true;
      }
    }
    if (await flow.knowsUpstream(agentId, upstreamHash)) return true;
    if (tries < MOST_LOOKS && (await flow.isSendingTo(agentId, { accountId, personId }))) return false;
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
