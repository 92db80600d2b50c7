/** A part of a line that was drawn at once, in the coordinates of its line. */
export interface Piece {
  text: string;
  start: number;
  end: number;
  v: number;
  size: number;
  turn: number;
  font: string;
  /** Width of the blank before it, in letter heights; 0 if the words touch. */
  blank: number;
}
