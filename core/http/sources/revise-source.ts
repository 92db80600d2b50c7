import type { Static } from '@sinclair/typebox';
import { indexQnaSource, indexTextSource } from '../../actors/agent/knowledge/new-source.js';
import type { NewSource } from '../../actors/agent/messages.js';
import { ApiError, invalidField, invalidFields, overloaded } from '../../errors/api-error.js';
import type { Owner } from '../../fairness/owner.js';
import type { StoredMetadata } from '../../knowledge/sources/source-metadata.js';
import { sourceTypeFacts } from '../../knowledge/sources/source-types.js';
import { answerIn } from '../../knowledge/text/qna-text.js';
import type { DocumentRow } from '../../ports/store/rows.js';
import type { Services } from '../services.js';
import type { reviseSourceBody } from './sources.schema.js';

type Revision = Static<typeof reviseSourceBody>;

/** Maximum number of attempts if the document is changed concurrently. */
const TRIES = 5;

/** The fields that can be changed, by type of source. */
const fieldsOf: Partial<Record<DocumentRow['sourceType'], readonly (keyof Revision)[]>> = {
  text_snippet: ['title', 'content', 'externalId'],
  qna_entry: ['title', 'questions', 'answer', 'externalId'],
};

/**
 * Replaces these fields in one turn, and returns the changed document. Throws 404 for an unknown document, 400 for a
 * source of another type or for other fields, 403 if it exceeds the allowance.
 */
export async function reviseSource(
  owner: Owner,
  documentId: string,
  revision: Revision,
  services: Services,
): Promise<DocumentRow> {
  const { agentId } = owner;
  for (let n = 0; n < TRIES; n += 1) {
    const document = await services.reads.document(agentId, documentId);
    // Read after the document, so that the turn detects newer content.
    const content = await services.reads.content(agentId, documentId);
    if (!document || !content) throw new ApiError('RESOURCE_DOCUMENT_NOT_FOUND');
    if (revision.schedule !== undefined) {
      assertScheduled(document, revision);
      const { schedule } = revision;
      return (await services.agents.send(agentId, { kind: 'schedulePage', documentId, schedule })).document;
    }
    if (isLabel(document, revision)) return relabel(owner, documentId, revision, services);
    assertFits(document, revision);
    const source = await sourceOf(document, content.join(''), revision, owner, services);
    const { title, contentHash } = document;
    const message = { kind: 'revise', documentId, before: { title, contentHash }, source } as const;
    const { document: revised } = await services.agents.send(agentId, message);
    if (revised) return revised;
  }
  throw overloaded(new Error(`document ${documentId} was changed ${TRIES} times during the request`));
}

/** Pages have only a schedule, and other sources have none. */
function assertScheduled({ sourceType }: DocumentRow, revision: Revision): void {
  if (!sourceTypeFacts[sourceType].isFetched)
    throw invalidField('schedule', 'is a field of pages only: other sources are not read again');
  if (Object.keys(revision).length > 1) assertFits({ sourceType }, revision);
}

const isLabel = ({ sourceType }: DocumentRow, revision: Revision): boolean =>
  sourceType === 'file_upload' && Object.keys(revision).every((field) => field === 'externalId');

async function relabel(
  { agentId }: Owner,
  documentId: string,
  { externalId = '' }: Revision,
  { agents }: Services,
): Promise<DocumentRow> {
  return (await agents.send(agentId, { kind: 'label', documentId, externalId })).document;
}

function assertFits({ sourceType }: Pick<DocumentRow, 'sourceType'>, revision: Revision): void {
  const fields = fieldsOf[sourceType];
  if (!fields)
    throw invalidField(
      'documentId',
      sourceTypeFacts[sourceType].isFetched
        ? 'is a page, of which only schedule can be changed: change it where it is published, then submit its URL again'
        : 'is a file, of which only externalId can be changed: delete it, then upload the new one',
    );
  const foreign = Object.keys(revision).filter((field) => !(fields as readonly string[]).includes(field));
  const problem = `is not a field of this source, which has ${fields.join(', ')}`;
  if (foreign.length > 0) throw invalidFields(Object.fromEntries(foreign.map((field) => [field, [problem]])));
}

/** Builds the whole document, because every chunk is indexed with the title. */
function sourceOf(
  { sourceType, title, metadata }: DocumentRow,
  text: string,
  revision: Revision,
  owner: Owner,
  { indexer }: Services,
): Promise<NewSource> {
  const { externalId } = metadata as unknown as StoredMetadata<'text_snippet'>;
  if (sourceType === 'text_snippet')
    return indexTextSource({ title, content: text, externalId, ...revision }, indexer, owner);
  const { questions } = metadata as unknown as StoredMetadata<'qna_entry'>;
  const answer = answerIn(text, questions);
  return indexQnaSource({ title, questions, answer, externalId, ...revision }, indexer, owner);
}
