/** Times of recent events, for rate limits that hold over all processes. Forgotten after the longest window. */
export interface RecentEvents {
  /**
   * Replaces the times of the workspace's events of this subject (Unix milliseconds, oldest first) by those that `next`
   * returns. Concurrent calls run one after another. If `next` throws, nothing changes.
   */
  change(workspaceId: string, subject: string, next: (timesMs: readonly number[]) => number[]): Promise<void>;
}
