/** The browser of a request. */
export interface Browser {
  network: string;
  /** Cookie of a browser that was used to sign in. */
  device: string | null;
  /** The signed-in user, if the session of the browser is whole. */
  userId: string | null;
  /** That session. */
  sessionId: string | null;
  /** Whether that session is on a shared computer. */
  isShared?: boolean;
}
