/** Failed sign-ins of one subject: an account, a network, both, or a device. */
export interface SignInCount {
  failures: number;
  /** No attempt before this time, in Unix milliseconds. */
  waitUntilMs: number;
  changedAtMs: number;
}

/** Counts of failed sign-ins, exact over all processes. */
export interface SignInCounts {
  /**
   * Locks the counts of these subjects, passes them to `next` and stores what it returns. Writes nothing if `next`
   * throws.
   */
  change(
    subjects: readonly string[],
    next: (counts: readonly SignInCount[]) => readonly SignInCount[],
  ): Promise<void>;
  /** Forgets the counts of these subjects, and how often the sign-in of the user has failed. */
  clear(subjects: readonly string[], userId: string | null): Promise<void>;
  /**
   * Counts a failed sign-in of a user, for the user to see. For an unknown address, writes as much, so that the time does
   * not tell whether there is a user.
   */
  noteFailure(userId: string | null, nowMs: number): Promise<void>;
}
