import type { ResponseErrorCode } from '../../errors/catalogue.js';
import type { ChannelFailureCode } from '../../errors/channel-failures.js';
import type {
  ChannelAccount,
  ChannelItems,
  ChannelPermission,
  ChannelResource,
} from '../../ports/channel.port.js';
import type { IndexedText } from '../../ports/indexer.port.js';
import type { PictureRow } from '../../ports/store/agents/pictures.js';
import type { SiteRow } from '../../ports/store/agents/sites.js';
import type { VersionRow } from '../../ports/store/agents/versions.js';
import type {
  AutomationRow,
  AutomationType,
  ConnectionRow,
  ProfileRow,
  SyncError,
} from '../../ports/store/channels/channels.js';
import type { EmbeddedDocument } from '../../ports/store/knowledge/vectors.js';
import type { AgentState, DocumentRow, JobRow } from '../../ports/store/rows.js';
import type { AgentProfile } from '../../schemas/agent-profile.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Extraction, TaskEvent } from '../../tasks/wire.js';

/** The indexed content of a page or a file. */
type IndexedExtraction = IndexedText & Pick<Extraction, 'title' | 'metadata' | 'isInterstitial' | 'visit'>;

/** A succeeded attempt. The inbox has already read and indexed the result from storage. */
export type SucceededEvent = Omit<Extract<TaskEvent, { kind: 'succeeded' }>, 'outcome'> & {
  /** `metadata` of `unchanged`: the page's current validators. Workers of an earlier version omit it. */
  outcome:
    | { kind: 'unchanged'; contentHash?: string | undefined; metadata?: JsonObject | undefined }
    | { kind: 'extracted'; contentHash: string; extraction: IndexedExtraction }
    | { kind: 'scanned'; pages: number[] }
    | { kind: 'embedded'; dimensions: number; vectors: Uint8Array };
  /** Name of the object in storage with the result. This turn discards it. */
  ref: string | null;
};

export interface RegisteredFile {
  storagePath: string;
  fileName: string;
  externalId?: string | undefined;
  bytes: number;
  etag: string;
}

/** The rules of a whole site that clients set. */
export type SiteRules = Pick<SiteRow, 'depth' | 'limit' | 'include' | 'exclude'>;

/** A source that is indexed without a worker. */
export interface NewSource {
  sourceType: 'text_snippet' | 'qna_entry';
  title: string;
  content: IndexedText;
  /** Charged to the workspace: UTF-8 bytes of the client's texts. */
  bytes: number;
  metadata: JsonObject;
}

/** The messages of an agent's actor and their replies. */
interface AgentProtocol {
  update: {
    message: { patch: Partial<AgentProfile> };
    reply: { agent: AgentState; settings: JsonObject };
  };
  /** Merge a patch into the settings. `refusal`: error of the plan, thrown if the size is valid. */
  configure: {
    message: { patch: JsonObject; refusal?: ResponseErrorCode | null };
    reply: { agent: AgentState; settings: JsonObject };
  };
  /** Change the draft of the settings. Replies with the settings as they would be. */
  changeDraft: {
    message: { patch: JsonObject; refusal: ResponseErrorCode | null };
    reply: { agent: AgentState; settings: JsonObject };
  };
  /** Make the draft live. `base`: the newest version that the sender has seen, to publish despite conflicts. */
  publishDraft: { message: { base: number | null }; reply: { version: VersionRow } };
  discardDraft: { message: object; reply: null };
  /** Restore the settings of a version, already converted to today's rules. */
  restoreVersion: { message: { number: number; settings: JsonObject }; reply: { version: VersionRow } };
  /** Store a picture, whose object is in storage. `isNew`: false if the agent has it already. */
  addPicture: { message: { picture: PictureRow }; reply: { isNew: boolean } };
  deletePicture: { message: { hash: string }; reply: null };
  deleteVersion: { message: { number: number }; reply: null };
  /** Begin to copy the agent, with its sources if wanted. */
  copyAgent: {
    message: { name: string | null; isWithSources: boolean; requestId: string };
    reply: { agentId: string; job: JobRow };
  };
  delete: { message: object; reply: null };
  /** Replace the identity secret, unless the same request has already done so. The reply is the stored secret. */
  rotateIdentitySecret: {
    message: { sealed: Uint8Array; requestHash: string | null };
    reply: { sealed: Uint8Array };
  };
  removeIdentitySecret: { message: object; reply: null };

  /**
   * Connect the agent to an account, with its encrypted token. Refuses an account of another agent. `left`: the replaced
   * connection, if it was to another account.
   */
  connectSocial: {
    message: { account: ChannelAccount; token: Uint8Array };
    reply: { connection: ConnectionRow; left: ConnectionRow | null };
  };
  /** Disconnect, and erase the token. `before`: the connection before that. */
  disconnectSocial: { message: object; reply: { before: ConnectionRow } };
  /** The platform refused this token. */
  requireReconnect: { message: { tokenId: string; reason: ChannelFailureCode }; reply: null };
  /** Store the result of a renewal or an inspection of this token. `retryAt`: when to try the renewal again. */
  refreshSocial: {
    message: {
      tokenId: string;
      found: {
        renewed?: { token: Uint8Array; tokenExpiresAt: number | null };
        permissions?: readonly ChannelPermission[];
        retryAt?: number;
      };
    };
    reply: null;
  };
  /** Create or change an automation. `patch` returns the changes for its type. */
  saveAutomation: {
    message: {
      automationId: string | null;
      /** Type of a new automation. */
      type: AutomationType;
      patch: (type: AutomationType) => Partial<AutomationRow>;
    };
    reply: { automation: AutomationRow };
  };
  deleteAutomation: { message: { automationId: string }; reply: null };
  /** Begin to publish a resource. `token` is null if the agent must be connected again. */
  beginSync: {
    message: { resource: ChannelResource; items: ChannelItems[ChannelResource] };
    reply: { connection: ConnectionRow; leaseToken: string | null };
  };
  endSync: {
    message: {
      resource: ChannelResource;
      leaseToken: string;
      live?: ChannelItems[ChannelResource];
      error: SyncError | null;
    };
    /** Null if another sync has begun. */
    reply: { profile: ProfileRow | null };
  };

  /**
   * Store a text or a Q&A entry. With `unique`, nothing is stored if the agent already has a document of this type with this
   * content. The reply then has that document (`isKnown`).
   */
  addSource: {
    message: { source: NewSource; unique: boolean };
    reply: { documentId: string; isKnown: boolean };
  };
  /**
   * Replace a text or a Q&A entry. The reply is null, and nothing is done, if the document has changed since
   * the sender read it (`before`).
   */
  revise: {
    message: { documentId: string; before: Pick<DocumentRow, 'title' | 'contentHash'>; source: NewSource };
    reply: { document: DocumentRow | null };
  };
  /** Change the client's id of a document. */
  label: { message: { documentId: string; externalId: string }; reply: { document: DocumentRow } };
  /** Change whether a page is read by schedule. */
  schedulePage: {
    message: { documentId: string; schedule: 'never' | null };
    reply: { document: DocumentRow };
  };
  indexUrl: { message: { url: string; requestId: string }; reply: { job: JobRow } };
  /** Fetch a page whose new text was held back as suspect, and store its text. Refuses other documents. */
  acceptPage: { message: { documentId: string; requestId: string }; reply: { job: JobRow } };
  /** Read a page again that failed. Refuses files. */
  retryFailure: { message: { failureId: string; requestId: string }; reply: { job: JobRow } };
  deleteFailure: { message: { failureId: string }; reply: null };
  /** Index up to `limit` pages that a sitemap lists. */
  indexSitemap: { message: { url: string; limit: number; requestId: string }; reply: { job: JobRow } };
  /** Read a whole site; a known one with these new rules. Refuses more sites than an agent may have. */
  indexSite: {
    message: { url: string; rules: SiteRules; requestId: string };
    reply: { site: SiteRow; job: JobRow };
  };
  changeSite: { message: { siteId: string; rules: Partial<SiteRules> }; reply: { site: SiteRow } };
  /** Delete a site; with `sources` also its pages. Its reading is cancelled. */
  deleteSite: { message: { siteId: string; sources: boolean }; reply: null };
  /** Read a site again. `confirm`: delete vanished pages at once. */
  refreshSite: {
    message: { siteId: string; confirm: boolean; requestId: string };
    reply: { job: JobRow };
  };
  /** Delete some rows of a deleted site. */
  clearSite: { message: { siteId: string }; reply: null };
  /** Store the paths for which uploads were signed. */
  issueUploads: { message: { uploads: { storagePath: string; fileName: string }[] }; reply: null };
  indexFiles: {
    /**
     * With `unique`, a file whose text equals that of another file is not stored: its task ends with that
     * file's document.
     */
    message: { files: RegisteredFile[]; unique: boolean; requestId: string };
    reply: { job: JobRow };
  };
  /** Replace the index of a document, if its content still has this hash. */
  reindex: { message: { documentId: string; contentHash: string; content: IndexedText }; reply: null };
  finishIndexing: { message: object; reply: null };
  /**
   * Open a task that embeds these documents. Their texts are in storage under the task's id. Opens no task if a document has
   * changed.
   */
  embed: {
    message: { taskId: string; space: string; documents: EmbeddedDocument[] };
    reply: { opened: boolean };
  };
  /** If all documents have vectors, record that the space is complete. */
  finishEmbedding: { message: { space: string }; reply: { finished: boolean } };
  deleteDocument: { message: { documentId: string }; reply: null };

  /** Fetch all indexed pages again. */
  retrain: { message: { requestId: string }; reply: { job: JobRow | null } };
  /** Cancel a job with its open tasks, unless it has ended. Null if there is no such job. */
  cancelJob: { message: { jobId: number }; reply: { job: JobRow | null } };
  /**
   * Retry the failed tasks of a job in a new job; null if none can be retried. Refuses a job that is unknown
   * or has not ended.
   */
  retryJob: { message: { jobId: number; requestId: string }; reply: { failed: JobRow; job: JobRow | null } };
  /** Create or cancel the next tasks of a job that has too many for one turn. */
  openTasks: { message: { jobId: number }; reply: null };
  /** Fetch all pages again if the interval has passed. The check prevents a second retrain by another process. */
  autoRetrain: { message: { intervalSeconds: number }; reply: { job: JobRow | null } };

  /** Delete some of the jobs that ended before this second. */
  forgetJobs: { message: { before: number }; reply: null };

  /** Admit up to `places` due tasks: the number that the `due` sweep has given to this agent. */
  admit: { message: { places: number }; reply: null };
  /** Expire leases of running attempts that missed their heartbeat. */
  expireLeases: { message: object; reply: null };
  taskStarted: { message: { event: Extract<TaskEvent, { kind: 'started' }> }; reply: null };
  taskSucceeded: { message: { event: SucceededEvent }; reply: null };
  taskFailed: { message: { event: Extract<TaskEvent, { kind: 'failed' | 'dead' }> }; reply: null };
}

export type MessageKind = keyof AgentProtocol;
export type MessageOf<K extends MessageKind> = { kind: K } & AgentProtocol[K]['message'];
export type ReplyOf<K extends MessageKind> = AgentProtocol[K]['reply'];
export type Message = { [K in MessageKind]: MessageOf<K> }[MessageKind];
