import { invalidField } from '../../errors/api-error.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Upper and lower case name the same document. Throws 400 for anything that is no UUID. */
export function documentIdOf(params: Record<string, string>): string {
  const documentId = params.documentId ?? '';
  if (!UUID.test(documentId)) throw invalidField('documentId', 'must be a UUID');
  return documentId.toLowerCase();
}
