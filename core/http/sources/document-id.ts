import { invalidField } from '../../errors/api-error.js';
import { isUuid } from '../../schemas/uuid.js';

/** Reads the case-insensitive id. Throws 400 if it is no UUID. */
export function documentIdOf(params: Record<string, string>): string {
  const documentId = params.documentId ?? '';
  if (!isUuid(documentId)) throw invalidField('documentId', 'must be a UUID');
  return documentId.toLowerCase();
}
