import { indexQnaSource, indexTextSource } from '../../actors/agent/knowledge/new-source.js';
import type { ReplyOf } from '../../actors/agent/messages.js';
import { existing, invalidField, videoNotAllowed } from '../../errors/api-error.js';
import { isVideoUrl } from '../../knowledge/urls/video-url.js';
import { seconds } from '../../ports/clock.port.js';
import type { SourceOrder } from '../../ports/store/agents/agent-reads.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { isUuid } from '../../schemas/uuid.js';
import { SlicedText } from '../pipeline/json-in-slices.js';
import { responseOf } from '../pipeline/respond-once.js';
import { accepted, created, type JsonResponse, ok, okInSlices, type Route, route } from '../route.js';
import { reviseSource } from './revise-source.js';
import { presentSource } from './sources.presenter.js';
import {
  addLessonQuery,
  addQnaBody,
  addSitemapBody,
  addTextBody,
  addUrlBody,
  contentSchema,
  documentCreated,
  listSourcesQuery,
  pageAccepted,
  reviseSourceBody,
  sitemapAccepted,
  sourceChangeListSchema,
  sourceListSchema,
  sourceSchema,
  urlAccepted,
} from './sources.schema.js';

const DAY_S = 86_400;
/** Bytes of memory per byte of a text, for the text and the response. */
const READING_COST = 2;

const sourceResponse = ({ documentId, isKnown }: ReplyOf<'addSource'>): JsonResponse =>
  isKnown ? ok({ documentId }) : created({ documentId });

const documentRefusals = ['VALIDATION_INVALID_BODY', 'RESOURCE_DOCUMENT_NOT_FOUND'] as const;

export const sourceRoutes: Route[] = [
  route({
    id: 'listSources',
    method: 'GET',
    path: '/agents/:agentId/sources',
    scope: 'agentId',
    permission: 'view',
    summary: 'List the sources of the agent, newest first, or in another order',
    description:
      '`sourceType` and `q` filter the list, `sort` orders it. `total` of a list with `q` is at most 10,000. With `sort`, a source that changes between two pages may appear twice or not at all. `sourceMetadata` depends on the type. A page or file is listed when it has been read.',
    query: listSourcesQuery,
    list: ({ agentId, query }) => JSON.stringify(['sources', agentId, query.sourceType, query.q, query.sort]),
    responses: { 200: sourceListSchema },
    async handle({ agentId, caller, query, list }, { reads, cursors }) {
      const request = cursors.request(list, query);
      const { sourceType = null, q: text = null, sort } = query;
      if (text !== null || sort !== undefined) {
        existing(await reads.agent(caller.workspaceId, agentId), 'AGENT_NOT_FOUND');
        const order = sort?.replace('-', '') ?? 'createdAt';
        const isDescending = sort === undefined || sort.startsWith('-');
        const search = { sourceType, text, order: order as SourceOrder, isDescending };
        const { rows, total } = await reads.searchSources(agentId, request, search);
        return ok(cursors.page(list, request, rows, total, ({ source }) => presentSource(source)));
      }
      const found = await reads.sources(caller.workspaceId, agentId, request, sourceType);
      const { rows, total } = existing(found, 'AGENT_NOT_FOUND');
      return ok(cursors.page(list, request, rows, total, presentSource));
    },
  }),
  route({
    id: 'addTextSource',
    method: 'POST',
    path: '/agents/:agentId/sources/text',
    scope: 'agentId',
    permission: 'edit',
    summary: 'Add a text',
    description: 'The text is searchable when the request returns. Its UTF-8 bytes count as storage.',
    query: addLessonQuery,
    body: addTextBody,
    idempotent: 'withIt',
    responses: { 200: documentCreated, 201: documentCreated },
    refusals: ['QUOTA_STORAGE_LIMIT'],
    async handle({ agentId, caller, query, body, idempotency }, { agents, indexer }) {
      const source = await indexTextSource(body, indexer, { workspaceId: caller.workspaceId, agentId });
      const message = { kind: 'addSource', source, unique: query.unique ?? false } as const;
      return responseOf(agents, { agentId, idempotency }, message, sourceResponse);
    },
  }),
  route({
    id: 'addQnaSource',
    method: 'POST',
    path: '/agents/:agentId/sources/qna',
    scope: 'agentId',
    permission: 'questions.answer',
    summary: 'Add an answer to one or more questions',
    description:
      'The agent gives this answer to each of the questions. The entry is searchable when the request returns. The bytes of questions and answer count as storage.',
    query: addLessonQuery,
    body: addQnaBody,
    idempotent: 'withIt',
    responses: { 200: documentCreated, 201: documentCreated },
    refusals: ['QUOTA_STORAGE_LIMIT'],
    async handle({ agentId, caller, query, body, idempotency }, { agents, indexer }) {
      const source = await indexQnaSource(body, indexer, { workspaceId: caller.workspaceId, agentId });
      const message = { kind: 'addSource', source, unique: query.unique ?? false } as const;
      return responseOf(agents, { agentId, idempotency }, message, sourceResponse);
    },
  }),
  route({
    id: 'addUrlSource',
    method: 'POST',
    path: '/agents/:agentId/sources/url',
    scope: 'agentId',
    permission: 'edit',
    summary: 'Index a page, or retrain an indexed one',
    description:
      'Starts a job that fetches the page, if its robots.txt allows it, and extracts the text. The source appears when the job has succeeded; its text counts as storage. Only public addresses are accepted. Poll the job with `getJob`. Videos are indexed by their captions and need a plan with video transcription.',
    body: addUrlBody,
    idempotent: 'withIt',
    responses: { 202: urlAccepted },
    refusals: ['SUBSCRIPTION_API_RESTRICTED_PLAN', 'QUOTA_STORAGE_LIMIT'],
    async handle({ agentId, body, caller, requestId, idempotency }, { agents }) {
      const { url } = body;
      if (isVideoUrl(url) && !caller.entitlements.features.videoTranscription) {
        throw videoNotAllowed();
      }
      const message = { kind: 'indexUrl', url, requestId } as const;
      return responseOf(agents, { agentId, idempotency }, message, ({ job }) =>
        accepted({ jobId: String(job.id), isRetrain: job.isRetrain }),
      );
    },
  }),
  route({
    id: 'addSitemapSource',
    method: 'POST',
    path: '/agents/:agentId/sources/sitemap',
    extension: true,
    scope: 'agent',
    permission: 'edit',
    summary: 'Index the pages of a sitemap in one job, which reports what it skipped and why',
    description:
      'Reads the sitemap, nested sitemaps, and up to `limit` pages of the same host. Poll the job with `getJob`. Its field `sitemap` has the numbers of found and skipped pages.',
    body: addSitemapBody,
    idempotent: 'withIt',
    responses: { 202: sitemapAccepted },
    refusals: ['QUOTA_STORAGE_LIMIT'],
    async handle({ agent, body, requestId, idempotency }, { agents }) {
      const { pages, files, depth } = limits.sitemap;
      const { url, limit = pages.default } = body;
      const scope = { url, host: new URL(url).host, limit, maxSitemaps: files, maxDepth: depth };
      const message = { kind: 'indexSitemap', url, limit, requestId } as const;
      return responseOf(agents, { agentId: agent.id, idempotency }, message, ({ job }) =>
        accepted({ jobId: String(job.id), scope }),
      );
    },
  }),
  route({
    id: 'getSource',
    method: 'GET',
    path: '/agents/:agentId/sources/:documentId',
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: 'Read one source',
    description: 'Returns title, type and metadata. `getSourceContent` returns the text.',
    params: documentIdOf,
    responses: { 200: sourceSchema },
    refusals: documentRefusals,
    async handle({ agent, params }, { reads }) {
      const document = await reads.document(agent.id, documentIdOf(params));
      return ok(presentSource(existing(document, 'RESOURCE_DOCUMENT_NOT_FOUND')));
    },
  }),
  route({
    id: 'getSourceContent',
    method: 'GET',
    path: '/agents/:agentId/sources/:documentId/content',
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: 'Read the stored text of a source',
    description:
      'Returns the text that is searched and cited. `start` and `end` of hits and citations are offsets in this text, in code points.',
    params: documentIdOf,
    responses: { 200: contentSchema },
    refusals: documentRefusals,
    async handle({ agent, params, reserve }, { reads }) {
      const documentId = documentIdOf(params);
      const bytes = await reads.contentBytes(agent.id, documentId);
      reserve(existing(bytes, 'RESOURCE_DOCUMENT_NOT_FOUND') * READING_COST);
      const slices = await reads.content(agent.id, documentId);
      const text = new SlicedText(existing(slices, 'RESOURCE_DOCUMENT_NOT_FOUND'));
      return okInSlices({ documentId, text });
    },
  }),
  route({
    id: 'listSourceChanges',
    method: 'GET',
    path: '/agents/:agentId/sources/:documentId/changes',
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: 'List the last changes of the text of a page, newest first',
    description: `Returns up to ${limits.pageChanges.most} changes of the last ${limits.pageChanges.days} days: the lines that were added and removed, in the order of the page. They do not count as storage. Other sources have no changes.`,
    params: documentIdOf,
    responses: { 200: sourceChangeListSchema },
    refusals: documentRefusals,
    async handle({ agent, params }, { reads, pageChanges, clock }) {
      const documentId = documentIdOf(params);
      existing(await reads.document(agent.id, documentId), 'RESOURCE_DOCUMENT_NOT_FOUND');
      const since = seconds(clock.now()) - limits.pageChanges.days * DAY_S;
      const changes = await pageChanges.of(agent.id, documentId, since);
      const data = changes.map(({ id: _, ...change }) => change);
      return ok({ data, pagination: { cursor: null, hasMore: false, total: data.length } });
    },
  }),
  route({
    id: 'getSourceOriginal',
    method: 'GET',
    path: '/agents/:agentId/sources/:documentId/original',
    extension: true,
    scope: 'agent',
    permission: 'edit',
    summary: 'Download the file of a source as it was uploaded',
    description: 'A source that is no file, or whose file is no longer stored, is not found.',
    params: documentIdOf,
    file: true,
    responses: {},
    refusals: ['RESOURCE_DOCUMENT_NOT_FOUND'],
    async handle({ agent, params, reserve }, { reads, ports }) {
      const document = await reads.document(agent.id, documentIdOf(params));
      const { storagePath, bytes, title, metadata } = existing(document, 'RESOURCE_DOCUMENT_NOT_FOUND');
      reserve(bytes);
      const stored = storagePath === null ? null : await ports.storage.get(storagePath);
      const file = existing(stored, 'RESOURCE_DOCUMENT_NOT_FOUND');
      const { fileName = title, contentType = 'application/octet-stream' } = metadata;
      return { status: 200, file, name: String(fileName), type: String(contentType) };
    },
  }),
  route({
    id: 'updateSource',
    method: 'PATCH',
    path: '/agents/:agentId/sources/:documentId',
    extension: true,
    scope: 'agent',
    permission: 'edit',
    summary: 'Change a text or a Q&A entry; omitted fields stay as they are',
    description:
      'The change is searchable when the request returns. The difference in bytes counts as storage. A text has `content`; a Q&A entry has `questions` and `answer`. Of a page, only `schedule` can be changed; to update its text, use `addUrlSource` or `retrain`. To update a file, delete it and upload the new one.',
    params: documentIdOf,
    body: reviseSourceBody,
    responses: { 200: sourceSchema },
    refusals: [...documentRefusals, 'QUOTA_STORAGE_LIMIT'],
    async handle({ agent, caller, params, body }, services) {
      const owner = { workspaceId: caller.workspaceId, agentId: agent.id };
      return ok(presentSource(await reviseSource(owner, documentIdOf(params), body, services)));
    },
  }),
  route({
    id: 'acceptSource',
    method: 'POST',
    path: '/agents/:agentId/sources/:documentId/accept',
    extension: true,
    scope: 'agent',
    permission: 'edit',
    summary: 'Accept the new text of a page that was held back as suspect',
    description:
      'If the text of a page looks like a check for robots, a gate, a maintenance notice or an error, or has almost nothing in common with the last text, its task fails with `PAGE_SUSPECT`, and the last text is kept. This request starts a job that fetches the page again and stores its text without these checks. Poll the job with `getJob`.',
    params: documentIdOf,
    idempotent: 'withIt',
    responses: { 202: pageAccepted },
    refusals: documentRefusals,
    handle: ({ agent, params, requestId, idempotency }, { agents }) =>
      responseOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'acceptPage', documentId: documentIdOf(params), requestId },
        ({ job }) => accepted({ jobId: String(job.id) }),
      ),
  }),
  route({
    id: 'deleteSource',
    method: 'DELETE',
    path: '/agents/:agentId/sources/:documentId',
    scope: 'agent',
    permission: 'edit',
    summary: 'Delete a source',
    description:
      'The agent no longer uses the source, and its storage is released. If the page is being fetched, the result is discarded.',
    params: documentIdOf,
    responses: { 200: deleted },
    refusals: documentRefusals,
    async handle({ agent, params }, { agents }) {
      await agents.send(agent.id, { kind: 'deleteDocument', documentId: documentIdOf(params) });
      return ok({ deleted: true });
    },
  }),
];

/** Reads the case-insensitive id. Throws 400 if it is no UUID. */
function documentIdOf(params: Record<string, string>): string {
  const documentId = params.documentId ?? '';
  if (!isUuid(documentId)) throw invalidField('documentId', 'must be a UUID');
  return documentId.toLowerCase();
}
