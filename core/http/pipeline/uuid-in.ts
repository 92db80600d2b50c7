import { ApiError } from '../../errors/api-error.js';
import { isUuid } from '../../schemas/uuid.js';

/** Reads an id from the path in lower case. Throws the same 404 for a malformed id as for an unknown one. */
export const uuidIn =
  (name: string) =>
  (params: Record<string, string>): string => {
    const id = params[name] ?? '';
    if (!isUuid(id)) throw new ApiError('RESOURCE_NOT_FOUND');
    return id.toLowerCase();
  };
