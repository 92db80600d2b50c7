import { v7 as uuidv7 } from 'uuid';
import { ApiError, existing, invalidField, invalidFields } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { AutomationRow, AutomationType } from '../../../ports/store/channels/channels.js';
import { limits } from '../../../schemas/limits.js';
import type { Handler } from '../handler.js';
import { connectionOf } from './connection.js';

/** Names of the fields for the target, by type. */
export const targetFields = {
  comment_to_dm: { scope: 'postScope', id: 'postId' },
  story_leads: { scope: 'storyScope', id: 'storyId' },
} as const satisfies Record<AutomationType, { scope: string; id: string }>;

type Target = Pick<AutomationRow, 'type' | 'scope' | 'targetId' | 'message' | 'status'>;

/** Throws 400 if a required field of a live automation is missing. */
export function mustBeComplete({ type, scope, targetId, message, status }: Target): void {
  if (status !== 'live') return;
  const fields = targetFields[type];
  const missing = [
    ...(scope === null ? [fields.scope] : []),
    ...(scope === 'specific' && targetId === null ? [fields.id] : []),
    ...(message === null ? ['message'] : []),
  ];
  if (missing.length > 0)
    throw invalidFields(Object.fromEntries(missing.map((field) => [field, ['is required to go live']])));
}

const liveTargetOf = ({ type, scope, targetId, status }: Target): string | null =>
  status === 'live' ? `${type}:${scope === 'any' ? 'any' : targetId}` : null;

/** Saves an automation. `automationId` is null for a new one. */
export const saveAutomation: Handler<'saveAutomation'> = async (
  { turn, rules },
  { automationId, type, patch },
) => {
  const now = seconds(rules.clock.now());
  const connection = await connectionOf({ turn });
  const before = automationId === null ? null : await turn.channel.automation(automationId);
  if (automationId !== null) existing(before, 'RESOURCE_NOT_FOUND');
  const base: AutomationRow = before ?? {
    id: uuidv7(),
    agentId: turn.agent.id,
    type,
    status: 'draft',
    name: '',
    scope: null,
    targetId: null,
    keywords: [],
    message: null,
    liveTarget: null,
    createdAt: now,
    updatedAt: now,
  };
  const given = { ...base, ...patch(base.type), updatedAt: now };
  const changed = { ...given, targetId: given.scope === 'any' ? null : given.targetId };
  mustBeComplete(changed);
  const after = { ...changed, liveTarget: liveTargetOf(changed) };
  if (before === null && (await turn.channel.countAutomations()) >= limits.social.automations)
    throw invalidField(
      'name',
      `would be the name of one more than the ${limits.social.automations} automations of an agent: delete one first`,
    );
  if (after.liveTarget !== null && after.liveTarget !== base.liveTarget) {
    if (after.type === 'comment_to_dm' && !connection.permissions.includes('comments'))
      throw new ApiError('SOCIAL_RECONNECT_REQUIRED', {
        message: 'The connection lacks the permission for comments. Connect again with a token that has it.',
      });
    if (await turn.channel.isTaken(after.liveTarget, after.id))
      throw new ApiError(
        after.scope === 'any' ? 'SOCIAL_AUTOMATION_CATCH_ALL_EXISTS' : 'SOCIAL_AUTOMATION_TARGET_TAKEN',
      );
  }
  if (before) await turn.channel.updateAutomation(before.id, after);
  else await turn.channel.insertAutomation(after);
  return { automation: after };
};

export const deleteAutomation: Handler<'deleteAutomation'> = async ({ turn }, { automationId }) => {
  await connectionOf({ turn });
  const { id } = existing(await turn.channel.automation(automationId), 'RESOURCE_NOT_FOUND');
  await turn.channel.deleteAutomation(id);
  return null;
};
