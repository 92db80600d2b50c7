/** A part of a line, drawn by one operation, in the coordinates of the line. */
export interface Piece {
  text: string;
  start: number;
  end: number;
  v: number;
  size: number;
  turn: number;
  font: string;
  /** Width of the blank before the piece, in letter heights; 0 if the words touch. */
  blank: number;
}
