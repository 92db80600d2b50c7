/** Why an activation left memory. Its agent goes on in the store; the next message wakes it again. */
export type PassivationReason =
  /** No message for a while. */
  | 'idle'
  /** Too many others were used more recently. */
  | 'crowded'
  /** Its agent was deleted. */
  | 'gone'
  /** A turn threw unexpectedly: what is remembered may be wrong. */
  | 'failed'
  /** The process stops. */
  | 'shutting-down';
