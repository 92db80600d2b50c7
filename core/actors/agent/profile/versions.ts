import { isDeepStrictEqual } from 'node:util';
import { changesBetween, restoredSettings, versionedSettings } from '../../../agent-settings/changes.js';
import { ApiError, invalidField } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { VersionOrigin, VersionRow } from '../../../ports/store/agents/versions.js';
import type { AuditActor } from '../../../ports/store/audit.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { applySettings } from './apply-settings.js';
import { withOwnPictures } from './pictures.js';
import { assertSettingsFit } from './settings.js';

/** The actor of changes without a request. */
export const systemActor: AuditActor = { type: 'system', id: null, label: '' };

/** Adds a version if a change of the settings has an effect. Returns it, or null. */
export async function recordVersion(
  { turn, rules, change }: Pick<AgentTurnContext, 'turn' | 'rules' | 'change'>,
  { before, after }: { before: JsonObject; after: JsonObject },
  { origin, restored = null }: { origin: VersionOrigin; restored?: number | null },
): Promise<VersionRow | null> {
  const settings = versionedSettings(after);
  if (isDeepStrictEqual(versionedSettings(before), settings)) return null;
  const createdAt = seconds(rules.clock.now());
  const newest = await turn.versions.newest();
  if (newest === null)
    await turn.versions.add({
      number: 1,
      createdAt,
      actor: systemActor,
      origin: 'baseline',
      restored: null,
      changes: [],
      settings: versionedSettings(before),
    });
  const version: VersionRow = {
    number: (newest ?? 1) + 1,
    createdAt,
    actor: change?.actor ?? systemActor,
    origin,
    restored,
    changes: changesBetween(before, after),
    settings,
  };
  await turn.versions.add(version);
  return version;
}

export const restoreVersion: Handler<'restoreVersion'> = async (context, { number, settings: stored }) => {
  const { turn, rules } = context;
  if (!(await turn.versions.find(number))) throw new ApiError('RESOURCE_NOT_FOUND');
  const before = await turn.settings();
  const after = await withOwnPictures(turn, before, restoredSettings(before, stored));
  assertSettingsFit(before, after, stored);
  const added = await recordVersion(context, { before, after }, { origin: 'restore', restored: number });
  if (added) applySettings(turn, rules, { before, after });
  const version = added ?? (await turn.versions.find((await turn.versions.newest()) ?? number));
  if (!version) throw new ApiError('RESOURCE_NOT_FOUND');
  return { version };
};

/** Deletes a version, and the values that the next one shows as those before it: they may hold a secret. */
export const deleteVersion: Handler<'deleteVersion'> = async ({ turn }, { number }) => {
  const version = await turn.versions.find(number);
  if (!version) throw new ApiError('RESOURCE_NOT_FOUND');
  if (number === (await turn.versions.newest()))
    throw invalidField('number', 'must not be the newest version: change the settings first');
  const next = await turn.versions.next(number);
  const changes = next?.changes.map((change) => ({ ...change, before: null }));
  if (next && changes) await turn.versions.replaceChanges(next.number, changes);
  await turn.versions.remove(number);
  return null;
};
