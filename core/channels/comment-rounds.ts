import { timeSlices } from '../fairness/time-slices.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ChannelFlow } from '../ports/store/channels/channel-flow.js';
import type { AutomationRow } from '../ports/store/channels/channels.js';
import type { EventHandler } from './event-handler.js';
import { matching } from './matching.js';
import { hashOf, newMessage, replyWindowAfter } from './new-message.js';

/** Sends private replies to comments that an automation matches. */
export function createCommentRounds({
  flow,
  liveAutomations,
  clock,
  onQueued,
}: {
  flow: Pick<ChannelFlow, 'endComment'>;
  liveAutomations: (agentId: string) => Promise<AutomationRow[]>;
  clock: Clock;
  onQueued: () => void;
}): EventHandler {
  return {
    async handle(claim) {
      const { agentId, accountId } = claim.connection;
      const live = await liveAutomations(agentId);
      const nowMs = clock.now();
      const pause = timeSlices();
      for (const { id, body, personId, at } of claim.events) {
        if (body.kind !== 'comment') continue;
        await pause();
        const { commentId, postId, text } = body;
        const automation = matching(live, { type: 'comment_to_dm', targetId: postId, text });
        const reply =
          automation?.message == null || accountId === null
            ? null
            : {
                row: newMessage(
                  {
                    agentId,
                    accountId,
                    commentId,
                    kind: 'automation',
                    text: automation.message,
                    expiresAtMs: replyWindowAfter(at),
                  },
                  nowMs,
                ),
                recipient: { targetKey: hashOf(`comment_to_dm ${postId} ${personId}`), personId },
              };
        await flow.endComment(claim, id, reply, seconds(nowMs));
        if (reply) onQueued();
      }
      return 'ended';
    },
  };
}
