import { PICTURES } from '../../agent-settings/picture-fields.js';
import { ApiError, invalidField } from '../../errors/api-error.js';
import { pictureHash, picturePath } from '../../knowledge/pictures.js';
import { seconds } from '../../ports/clock.port.js';
import { KeyTaken } from '../../ports/store/store-errors.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { responseOf } from '../pipeline/respond-once.js';
import { created, ok, type Route, route } from '../route.js';
import { type PictureFacts, pictureFacts } from './picture-facts.js';
import { addPictureBody, pictureSchema } from './pictures.schema.js';

const HASH = /^[0-9a-f]{64}$/;
const { bytes: MOST_BYTES, side: MOST_PIXELS, ofAgent } = limits.pictures;

/** Throws the same 404 for a malformed hash as for an unknown one. */
function hashOf({ hash = '' }: Record<string, string>): string {
  if (!HASH.test(hash)) throw new ApiError('RESOURCE_NOT_FOUND');
  return hash;
}

/** Throws 400 unless the text is base64 of a picture within the limits. */
function pictureIn(data: string): PictureFacts & { bytes: Buffer } {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) throw invalidField('data', 'must be base64 with padding');
  if (bytes.length > MOST_BYTES)
    throw invalidField('data', `must have at most ${MOST_BYTES} bytes, but has ${bytes.length}`);
  const facts = pictureFacts(bytes);
  if (!facts) throw invalidField('data', 'must be a PNG, JPEG or WebP');
  if (Math.max(facts.width, facts.height) > MOST_PIXELS)
    throw invalidField(
      'data',
      `must have at most ${MOST_PIXELS} pixels a side, but has ${facts.width} × ${facts.height}`,
    );
  return { ...facts, bytes };
}

const place = {
  path: '/agents/:agentId/pictures',
  extension: true,
  scope: 'agent',
  permission: 'edit',
} as const;

export const pictureRoutes: Route[] = [
  route({
    ...place,
    id: 'addPicture',
    method: 'POST',
    summary: 'Store a picture for the widget of the agent',
    description: `Use the returned URL as \`bubbleIconUrl\` or \`profilePictureUrl\` in \`updateDesignSettings\`. Everybody who knows the URL can see the picture. Its bytes count as storage. An agent has at most ${ofAgent} pictures; the same picture is stored once. It is kept until \`deletePicture\`, because old versions of the settings may name it.`,
    body: addPictureBody,
    idempotent: 'withIt',
    responses: { 201: pictureSchema },
    refusals: ['QUOTA_STORAGE_LIMIT'],
    async handle({ agent, body, origin, idempotency }, { agents, ports, uploads, clock }) {
      const { type, bytes } = pictureIn(body.data);
      const hash = pictureHash(agent.id, bytes);
      const createdAt = seconds(clock.now());
      // Each attempt writes its own object, so that discarding it never takes that of another attempt.
      const storagePath = picturePath(agent.id);
      const picture = { hash, type, bytes: bytes.length, storagePath, createdAt };
      await ports.storage.put(storagePath, bytes);
      let isNew = false;
      try {
        const message = { kind: 'addPicture', picture } as const;
        return await responseOf(agents, { agentId: agent.id, idempotency }, message, (reply) => {
          isNew = reply.isNew;
          return created({ hash, url: origin() + PICTURES + hash });
        });
      } catch (error) {
        // After any other error, the row may have been stored.
        isNew = !(error instanceof ApiError || error instanceof KeyTaken);
        throw error;
      } finally {
        if (!isNew) await uploads.addDiscards([storagePath], createdAt);
      }
    },
  }),
  route({
    ...place,
    id: 'deletePicture',
    method: 'DELETE',
    path: '/agents/:agentId/pictures/:hash',
    params: hashOf,
    summary: 'Delete a picture',
    description:
      'Its URL is not found from then on, also where settings or old versions still name it. Its storage is released.',
    responses: { 200: deleted },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, { agents }) {
      await agents.send(agent.id, { kind: 'deletePicture', hash: hashOf(params) });
      return ok({ deleted: true });
    },
  }),
];
