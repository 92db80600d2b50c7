/*
 * How places are shared by parties whose number nobody knows: each may take one more as long as it holds fewer than are free. One party
 * alone gets half of the places, two get a third each once they have changed hands. Nobody can fill them all, however long its work lasts.
 * Where several have, spare places are for those who hold none.
 */

interface Places {
  /** Those that the party holds. */
  held: number;
  /** Those that nobody holds; below zero while spare ones are taken. */
  free: number;
  spare: number;
}

/** Whether the party may take another one. */
export const mayTake = ({ held, free, spare }: Places): boolean =>
  held === 0 ? free + spare > 0 : held < free;

/**
 * How many places one may take, one after the other. With `modesty` above 1 it stops that much earlier, and leaves the rest of its share to
 * somebody who hands it out in order.
 */
export function roomFor({ held, free, spare }: Places, modesty = 1): number {
  let room = 0;
  while (mayTake({ held: (held + room) * modesty, free: free - room, spare })) room += 1;
  return room;
}
