import { IncomingMessage } from 'node:http';

/** Pieces of a body that are shorter are copied into chunks. */
const SHORT = 1024;
const CHUNK = 4096;

/**
 * A request whose body takes memory in proportion to its length, however it is split: Node makes a buffer of each HTTP
 * chunk, so a body of 2 MiB in one-byte chunks would be held as two million buffers.
 */
export class GatheringRequest extends IncomingMessage {
  #begun = false;
  #chunk: Buffer | null = null;
  #length = 0;

  /** Called by Node's parser for each piece of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    // Most bodies are one piece, which needs no copy.
    if (piece === null || piece.length >= SHORT || !this.#begun) {
      this.#begun = true;
      this.#flush();
      return super.push(piece);
    }
    const goesOn = this.#length + piece.length <= CHUNK || this.#flush();
    this.#chunk ??= Buffer.allocUnsafe(CHUNK);
    this.#chunk.set(piece, this.#length);
    this.#length += piece.length;
    return goesOn;
  }

  /** False when the reader should catch up before more is pushed. */
  #flush(): boolean {
    const gathered = this.#chunk?.subarray(0, this.#length);
    this.#chunk = null;
    this.#length = 0;
    return gathered ? super.push(gathered) : true;
  }
}
