import type { Static } from '@sinclair/typebox';
import type { agentSchema } from '../../../../core/http/agents/agents.schema.js';
import type { auditListSchema } from '../../../../core/http/audit/audit.schema.js';
import type {
  automationSchema,
  channelDeliverySchema,
  connectionSchema,
  menuSchema,
  startersSchema,
} from '../../../../core/http/channels/social.schema.js';
import type { contactSchema } from '../../../../core/http/contacts/contacts.schema.js';
import type {
  conversationDetailSchema,
  conversationListSchema,
  exportSchema,
} from '../../../../core/http/conversations/conversations.schema.js';
import type { draftSchema } from '../../../../core/http/drafts/drafts.schema.js';
import type {
  evaluationDetailSchema,
  evaluationSchema,
  resultListSchema,
} from '../../../../core/http/evaluations/evaluations.schema.js';
import type { failureListSchema } from '../../../../core/http/failures/failures.schema.js';
import type { homeSchema } from '../../../../core/http/home/home.schema.js';
import type { inboxSchema } from '../../../../core/http/inbox/inbox.schema.js';
import type { jobSchema, listedJobSchema } from '../../../../core/http/jobs/jobs.schema.js';
import type { keySchema, keyWithSecret } from '../../../../core/http/keys/keys.schema.js';
import type { modelsSchema, modelTestSchema } from '../../../../core/http/models/models.schema.js';
import type { meSchema } from '../../../../core/http/people/me.schema.js';
import type { memberSchema } from '../../../../core/http/people/members.schema.js';
import type { errorBody } from '../../../../core/http/pipeline/error.schema.js';
import type { questionsSchema } from '../../../../core/http/questions/questions.schema.js';
import type { hitsSchema } from '../../../../core/http/search/search.schema.js';
import type { siteSchema } from '../../../../core/http/sites/sites.schema.js';
import type { signedUploads, sourceSchema } from '../../../../core/http/sources/sources.schema.js';
import type { statisticsSchema } from '../../../../core/http/statistics/statistics.schema.js';
import type { trainingStatusSchema } from '../../../../core/http/training/training.schema.js';
import type { listedVersion, versionSchema } from '../../../../core/http/versions/versions.schema.js';
import type { deliverySchema, webhookSchema } from '../../../../core/http/webhooks/webhooks.schema.js';
import type { identitySecretStatus } from '../../../../core/http/widget/visitor.schema.js';
import type { workspaceSchema } from '../../../../core/http/workspace/workspace.schema.js';
import type { EvaluationQuestion } from '../../../../core/schemas/evaluations.js';
import type { pagination } from '../../../../core/schemas/shapes.js';

export type { Citation, Message } from '../../../client/answer-events.js';

/* Types of API responses, derived from the API's own schemas. */

export type Agent = Static<typeof agentSchema>;
export type Me = Static<typeof meSchema>;
export type Workspace = Static<typeof workspaceSchema>;
export type Source = Static<typeof sourceSchema>;
export type Hits = Static<typeof hitsSchema>;
export type Job = Static<typeof jobSchema>;
/** The result for each address in a sitemap. */
export type SitemapReport = NonNullable<Job['sitemap']>;
/** A whole site with its rules. */
export type Site = Static<typeof siteSchema>;
/** The result of reading a whole site. */
export type SiteReport = NonNullable<Job['site']>;
export type ListedJob = Static<typeof listedJobSchema>;
export type Task = Job['tasks'][number];
export type Training = Static<typeof trainingStatusSchema>;
export type SignedUpload = Static<typeof signedUploads>['files'][number];
export type ConversationDetail = Static<typeof conversationDetailSchema>;
export type Conversation = Omit<ConversationDetail, 'messages' | 'pagination'>;
/** With its last message, outcome and rating. */
export type ListedConversation = Static<typeof conversationListSchema>['data'][number];
export type ExportedConversation = Static<typeof exportSchema>['data'][number];
export type IdentitySecretStatus = Static<typeof identitySecretStatus>;
export type SocialConnection = Static<typeof connectionSchema>;
export type Automation = Static<typeof automationSchema>;
export type PersistentMenu = Static<typeof menuSchema>;
export type ConversationStarters = Static<typeof startersSchema>;
/** A message to a person on a social platform. */
export type SocialDelivery = Static<typeof channelDeliverySchema>;
export type Evaluation = Static<typeof evaluationSchema>;
export type EvaluationDetail = Static<typeof evaluationDetailSchema>;
export type EvaluationResult = Static<typeof resultListSchema>['data'][number];
/** A question that the agent keeps for its evaluations. */
export interface KeptQuestion {
  id: string;
  createdAt: number;
  question: EvaluationQuestion;
}
export type Draft = Static<typeof draftSchema>;
/** A version of an agent's settings. */
export type ListedVersion = Static<typeof listedVersion>;
export type Version = Static<typeof versionSchema>;
export type Webhook = Static<typeof webhookSchema>;
export type Delivery = Static<typeof deliverySchema>;
export type AuditRow = Static<typeof auditListSchema>['data'][number];
export type Key = Static<typeof keySchema>;
export type KeyWithSecret = Static<typeof keyWithSecret>;
export type Member = Static<typeof memberSchema>;
/** A conversation in the inbox. */
export type InboxItem = Static<typeof inboxSchema>['data'][number];
export type Contact = Static<typeof contactSchema>;
export type Model = Static<typeof modelsSchema>['data'][number];
export type ModelTest = Static<typeof modelTestSchema>;
/** A page or file that could not be read. */
export type SourceFailure = Static<typeof failureListSchema>['data'][number];
/** A question of users that the sources did not answer. */
export type OpenQuestion = Static<typeof questionsSchema>['data'][number];
/** What an agent needs. */
export type AgentHome = Static<typeof homeSchema>;
export type Statistics = Static<typeof statisticsSchema>;
export type ErrorBody = Static<typeof errorBody>['error'];
export type Page<T> = { data: T[]; pagination: Static<typeof pagination> };
