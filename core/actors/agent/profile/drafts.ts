import { draftChanges, draftFields, withDraft } from '../../../agent-settings/draft.js';
import { settingsGroups } from '../../../agent-settings/groups.js';
import { mergeSettings } from '../../../agent-settings/merge-settings.js';
import { ApiError } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { DraftRow } from '../../../ports/store/agents/drafts.js';
import type { Entitlements } from '../../../workspaces/entitlements.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { applySettings } from './apply-settings.js';
import { withOwnPictures } from './pictures.js';
import { assertSettingsFit } from './settings.js';
import { recordVersion, systemActor } from './versions.js';

const entitlementsIn = async ({ turn, rules }: AgentTurnContext): Promise<Entitlements> =>
  rules.entitlementsOf(await turn.workspaceNow());

async function draftIn({ turn }: AgentTurnContext): Promise<DraftRow> {
  const draft = await turn.draft.find();
  if (!draft) throw new ApiError('RESOURCE_NOT_FOUND');
  return draft;
}

export const changeDraft: Handler<'changeDraft'> = async (context, { patch, refusal }) => {
  const { turn, rules, change } = context;
  const live = await turn.settings();
  const fields = (await turn.draft.find())?.fields ?? {};
  const before = withDraft(live, fields, await entitlementsIn(context));
  const settings = await withOwnPictures(turn, before, mergeSettings(before, patch));
  assertSettingsFit(before, settings, patch);
  if (refusal) throw new ApiError(refusal);
  const changed = draftFields(live, settings, fields);
  if (Object.keys(changed).length === 0) await turn.draft.remove();
  else
    await turn.draft.keep({
      fields: changed,
      updatedAt: seconds(rules.clock.now()),
      updatedBy: change?.actor ?? systemActor,
    });
  return { agent: turn.agent, settings };
};

export const publishDraft: Handler<'publishDraft'> = async (context, { base }) => {
  const { turn, rules } = context;
  const { fields } = await draftIn(context);
  const entitlements = await entitlementsIn(context);
  const before = await turn.settings();
  const { conflicts } = draftChanges(before, fields, entitlements);
  const newest = await turn.versions.newest();
  if (conflicts.length > 0 && base !== newest)
    throw new ApiError('VALIDATION_INVALID_BODY', {
      message: `Live values of this draft have changed: ${conflicts.join(', ')}. Send the number of the newest version as base to publish all the same.`,
      details: { fieldErrors: { base: ['must be the number of the newest version'] }, conflicts },
    });
  const after = await withOwnPictures(turn, before, withDraft(before, fields, entitlements));
  for (const group of settingsGroups) {
    const refusal = group.refusal(group.toBody(after), entitlements);
    if (refusal && Object.keys(fields).some((field) => field.startsWith(`${group.path}.`)))
      throw new ApiError(refusal);
  }
  assertSettingsFit(before, after, after);
  const added = await recordVersion(context, { before, after }, { origin: 'publish' });
  if (added) applySettings(turn, rules, { before, after });
  await turn.draft.remove();
  const version = added ?? (newest === null ? null : await turn.versions.find(newest));
  if (!version) throw new ApiError('RESOURCE_NOT_FOUND');
  return { version };
};

export const discardDraft: Handler<'discardDraft'> = async (context) => {
  await draftIn(context);
  await context.turn.draft.remove();
  return null;
};
