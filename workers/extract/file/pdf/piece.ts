/** A stretch of a line that was drawn at once, in the frame of its line. */
export interface Piece {
  text: string;
  start: number;
  end: number;
  v: number;
  size: number;
  turn: number;
  font: string;
  /** Width of the blank before it, in letter heights; 0 where the words touch. */
  blank: number;
}
