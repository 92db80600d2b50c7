import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';

const { bytes, side } = limits.pictures;

export const addPictureBody = Type.Object(
  {
    data: Type.String({
      contentEncoding: 'base64',
      maxLength: Math.ceil(bytes / 3) * 4,
      examples: [
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      ],
      description: `A PNG, JPEG or WebP of at most ${bytes} bytes and ${side} pixels a side, as base64`,
    }),
  },
  { $id: 'AddPicture' },
);

export const pictureSchema = Type.Object(
  {
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Identifies the picture and its agent',
    }),
    url: Type.String({
      description: 'URL for `bubbleIconUrl` and `profilePictureUrl`',
      examples: [
        'https://agents.acme.com/widget/pictures/d2c0b1e07c1f5a3e94b86a1d3f7e0c5528b9d4f6a17083ce5b2f9d60e41a7c38',
      ],
    }),
  },
  { $id: 'Picture' },
);
