/** Times of recent events, for rate limits across all processes. Deleted after the longest window. */
export interface RecentEvents {
  /**
   * Replaces the times of the events of this subject in the workspace (Unix milliseconds, oldest first) with the result
   * of `next`. Concurrent calls run one after another. If `next` throws, nothing changes.
   */
  change(workspaceId: string, subject: string, next: (timesMs: readonly number[]) => number[]): Promise<void>;
}
