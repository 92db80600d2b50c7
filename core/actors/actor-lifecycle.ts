/** Why an activation was evicted from memory. The next message to its agent activates it again. */
export type PassivationReason =
  | 'idle'
  /** The directory was full, and this activation was the least recently used. */
  | 'crowded'
  | 'gone'
  /** A turn threw unexpectedly, so the cached state may be wrong. */
  | 'failed'
  | 'shutting-down';
