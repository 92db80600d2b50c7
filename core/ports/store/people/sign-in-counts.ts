/** Failed sign-ins of one subject: an account, a network, both, or a device. */
export interface SignInCount {
  failures: number;
  /** No attempt before this time, in Unix milliseconds. */
  waitUntilMs: number;
  changedAtMs: number;
}

/** Failed sign-ins of a user from a network in an hour. */
export interface FailedSignIns {
  /** Start of the hour, in Unix seconds. */
  hour: number;
  /** Null for addresses without a user. */
  userId: string | null;
  network: string;
  failures: number;
}

/** Counts of failed sign-ins, exact over all processes. */
export interface SignInCounts {
  /** Returns the counts of these subjects, in their order. */
  find(subjects: readonly string[]): Promise<SignInCount[]>;
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
   * Counts a failed sign-in of a user, for the user and the operator to see. For an unknown address, writes as much, so that the time does
   * not tell whether there is a user.
   */
  noteFailure(userId: string | null, network: string, nowMs: number): Promise<void>;
  /** Returns the newest failures by hour, user and network. */
  failures(limit: number): Promise<FailedSignIns[]>;
}
