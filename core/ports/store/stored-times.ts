/** Stored times that determine when work is due. Starts of retention periods are not included. */
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
  | 'dueMails'
  | 'hostPauses'
  | 'identitySecrets'
  | 'handoverMails'
  | 'handoverMailsCovered'
  | 'inboxChanges'
  | 'inboxReaders'
  | 'copyLeases'
  | 'erasureLeases'
  | 'mailLeases'
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
  /**
   * Lowers times later than these (Unix milliseconds) to them, in at most `limit` rows of each kind. Returns the number
   * of rows.
   */
  bound(latestMs: Readonly<Record<StoredTime, number>>, limit: number): Promise<number>;
}
