import { Type } from '@sinclair/typebox';

const pattern = '^[A-Za-z0-9._-]{1,128}$';

/** Matches ids that clients give to their users. */
export const userIdPattern = new RegExp(pattern);

export const userId = Type.String({
  pattern,
  description: '1 to 128 letters, digits, dots, underscores and hyphens',
});
