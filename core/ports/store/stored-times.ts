/** Stored times that decide when work is done, and times from which retention periods are counted. */
export const storedTimes = [
  'agentsDue',
  'agentsToRetrain',
  'anonymousConversations',
  'answerLeases',
  'answerStops',
  'channelPauses',
  'channelRenewals',
  'channelRests',
  'claimedChannelEvents',
  'claimedEvaluations',
  'connectionsEnded',
  'conversationsUpdated',
  'deliveriesEnded',
  'deliveryLeases',
  'dueChannelEvents',
  'dueDeliveries',
  'dueEvaluations',
  'eventsEnded',
  'idempotencyKeys',
  'identitySecrets',
  'jobsFinished',
  'messagesEnded',
  'objectsToDelete',
  'profileLooks',
  'profileSyncs',
  'queuedRequests',
  'queuedTasks',
  'remains',
  'resolvedQuestions',
  'retriedTasks',
  'sendingMessages',
  'taskLeases',
  'uploadsIssued',
  'waitingMessages',
  'webhookSecrets',
] as const;
export type StoredTime = (typeof storedTimes)[number];

export interface StoredTimes {
  /**
   * Sets times later than these (Unix milliseconds) to them, in at most `limit` rows of each kind. Deletes subjects of
   * rate limits later than `subjects`, and visitors of days after `day`. Returns the number of rows.
   */
  bound(
    latestMs: Readonly<Record<StoredTime, number>>,
    forgotten: { subjectsMs: number; day: string },
    limit: number,
  ): Promise<number>;
}
