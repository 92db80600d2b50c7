import { invalidField } from '../../errors/api-error.js';
import { isUuid } from '../../ports/uuid.js';

/** Upper and lower case name the same document. Throws 400 for anything that is no UUID. */
export function documentIdOf(params: Record<string, string>): string {
  const documentId = params.documentId ?? '';
  if (!isUuid(documentId)) throw invalidField('documentId', 'must be a UUID');
  return documentId.toLowerCase();
}
