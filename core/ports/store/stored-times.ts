/** Stored times that decide when work is done. Starts of retention periods are not among them. */
export type StoredTime =
  | 'agentsDue'
  | 'agentsToRetrain'
  | 'answerLeases'
  | 'channelPauses'
  | 'channelRenewals'
  | 'channelRests'
  | 'claimedChannelEvents'
  | 'claimedEvaluations'
  | 'deliveryLeases'
  | 'dueChannelEvents'
  | 'dueDeliveries'
  | 'dueEvaluations'
  | 'dueVectors'
  | 'identitySecrets'
  | 'profileLooks'
  | 'profileSyncs'
  | 'queuedRequests'
  | 'queuedTasks'
  | 'remains'
  | 'retriedTasks'
  | 'sendingMessages'
  | 'taskLeases'
  | 'toolCalls'
  | 'waitingMessages'
  | 'webhookSecrets';

export interface StoredTimes {
  /** Sets times later than these (Unix milliseconds) to them, in at most `limit` rows of each kind. Returns the number of rows. */
  bound(latestMs: Readonly<Record<StoredTime, number>>, limit: number): Promise<number>;
}
