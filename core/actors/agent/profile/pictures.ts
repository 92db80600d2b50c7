import { withOwnPictures as withOwn } from '../../../agent-settings/picture-fields.js';
import { ApiError, invalidField } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { AgentTurn } from '../../../ports/store/agents/agent-turn.js';
import type { JsonObject } from '../../../schemas/json.js';
import { limits } from '../../../schemas/limits.js';
import type { Handler } from '../handler.js';
import { reserveStorage } from '../knowledge/storage-allowance.js';

export const addPicture: Handler<'addPicture'> = async (context, { picture }) => {
  const { turn } = context;
  if (await turn.pictures.find(picture.hash)) return { isNew: false };
  if ((await turn.pictures.count()) >= limits.pictures.ofAgent)
    throw invalidField(
      'data',
      `would exceed the limit of ${limits.pictures.ofAgent} pictures: delete one first`,
    );
  if (!(await reserveStorage(context, picture.bytes))) throw new ApiError('QUOTA_STORAGE_LIMIT');
  await turn.pictures.add(picture);
  return { isNew: true };
};

export const deletePicture: Handler<'deletePicture'> = async (context, { hash }) => {
  const { turn, rules } = context;
  const picture = await turn.pictures.find(hash);
  if (!picture) throw new ApiError('RESOURCE_NOT_FOUND');
  await turn.pictures.remove(hash);
  await reserveStorage(context, -picture.bytes);
  await turn.uploads.discard([picture.storagePath], seconds(rules.clock.now()));
  return null;
};

/** Returns the settings with URLs of the agent's pictures as paths. Throws 400 for pictures that it does not have. */
export const withOwnPictures = (
  turn: AgentTurn,
  before: JsonObject,
  settings: JsonObject,
): Promise<JsonObject> =>
  withOwn(before, settings, async (hash) => (await turn.pictures.find(hash)) !== null);
