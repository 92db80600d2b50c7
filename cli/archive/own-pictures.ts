import { PICTURES, type PictureField, pictureHashes } from '../../core/agent-settings/picture-fields.js';
import { pictureHash } from '../../core/knowledge/pictures.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { type Api, persistently } from '../api.js';
import { CliError } from '../cli-error.js';

const TIMEOUT_MS = 60_000;

/** Returns the pictures of the agent that its settings name. Pictures at other addresses are no part of the agent. */
export async function ownPictures(
  api: Api,
  { agentId, settings }: { agentId: string; settings: JsonObject },
): Promise<{ field: PictureField; bytes: Buffer }[]> {
  const found: { field: PictureField; bytes: Buffer }[] = [];
  for (const [field, hash] of pictureHashes(settings)) {
    const bytes = await pictureAt(`${api.baseUrl}${PICTURES}${hash}`);
    // Any site may have such a path. The hash tells whether it is a picture of this agent.
    if (bytes && pictureHash(agentId, bytes) === hash) found.push({ field, bytes });
  }
  return found;
}

/** Returns null if there is no picture, because it was deleted or belongs to another installation. */
async function pictureAt(url: string): Promise<Buffer | null> {
  const picture = await persistently(async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { status, headers } = response;
    return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
  });
  if (picture?.status === 404) return null;
  if (picture?.status !== 200)
    throw new CliError('SERVICE_UNAVAILABLE', `The picture at ${url} cannot be read.`);
  return picture.bytes;
}
