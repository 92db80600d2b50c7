/** A picture for the widget of an agent. */
export interface PictureRow {
  /** Hash over the agent and the bytes. */
  hash: string;
  /** Media type. */
  type: string;
  bytes: number;
  storagePath: string;
  /** Unix seconds. */
  createdAt: number;
}

export interface Pictures {
  /** Returns the picture of any agent. */
  find(hash: string): Promise<PictureRow | null>;
  of(agentId: string): Promise<PictureRow[]>;
}

/** The pictures of the agent of a turn. */
export interface TurnPictures {
  find(hash: string): Promise<PictureRow | null>;
  count(): Promise<number>;
  /** Charges no storage. */
  add(picture: PictureRow): Promise<void>;
  /** Neither releases the storage nor discards the object. */
  remove(hash: string): Promise<void>;
}
