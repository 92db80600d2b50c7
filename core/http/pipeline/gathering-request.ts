import { IncomingMessage } from 'node:http';

/** Pieces of a body with fewer bytes are copied into chunks. */
const SHORT = 1024;
/** Size of these chunks in bytes. */
const CHUNK = 4096;
/**
 * After this number of short pieces, which take the parser about a millisecond, reading pauses. The pauses of several
 * requests follow each other, so that together they take only a part of the event loop.
 */
const BURST = 1000;
const PAUSE_MS = 20;

/**
 * A request whose body takes memory in proportion to its length, however it is split: Node makes a buffer of each HTTP
 * chunk, so a body of 2 MiB in one-byte chunks would be held as two million buffers. Parsing such a body takes seconds,
 * so it is read with pauses.
 */
export class GatheringRequest extends IncomingMessage {
  /** Number of requests that pause. */
  static #paused = 0;
  #begun = false;
  #chunk: Buffer | null = null;
  #length = 0;
  #shortPieces = 0;
  #isPaused = false;

  /** Called by Node's parser for each piece of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    // Most bodies are one piece, which needs no copy.
    if (piece === null || piece.length >= SHORT || !this.#begun) {
      this.#begun = true;
      this.#flush();
      return super.push(piece);
    }
    this.#shortPieces += 1;
    if (this.#shortPieces === BURST) this.#flush();
    const goesOn = this.#length + piece.length <= CHUNK || this.#flush();
    this.#chunk ??= Buffer.allocUnsafe(CHUNK);
    this.#chunk.set(piece, this.#length);
    this.#length += piece.length;
    return goesOn && this.#shortPieces < BURST;
  }

  /** Called when the reader wants more. */
  override _read(size: number): void {
    if (this.#isPaused) return;
    if (this.#shortPieces < BURST) this.#goOn(size);
    else {
      this.#isPaused = true;
      GatheringRequest.#paused += 1;
      setTimeout(() => {
        this.#isPaused = false;
        GatheringRequest.#paused -= 1;
        this.#goOn(size);
      }, PAUSE_MS * GatheringRequest.#paused);
    }
  }

  #goOn(size: number): void {
    this.#shortPieces = 0;
    super._read(size);
  }

  /** False when the reader should catch up before more is pushed. */
  #flush(): boolean {
    const gathered = this.#chunk?.subarray(0, this.#length);
    this.#chunk = null;
    this.#length = 0;
    return gathered ? super.push(gathered) : true;
  }
}
