/*
 * Shares places among parties whose number nobody knows. Each may take one more as long as it holds fewer than are
 * free. So one party alone gets half of the places, two get a third each once places have changed hands, and nobody
 * can fill them all, however long its work lasts. Where several hold places, spare ones are for those that hold none.
 */

interface Places {
  /** Places that the party holds. */
  held: number;
  /** Places that nobody holds; below zero while spare ones are taken. */
  free: number;
  spare: number;
}

/** Whether the party may take another one. */
export const mayTake = ({ held, free, spare }: Places): boolean =>
  held === 0 ? free + spare > 0 : held < free;

/**
 * How many places a party may take, one after the other. With `modesty` above 1 it stops that much earlier,
 * and leaves the rest of its share to be handed out in order.
 */
export function roomFor({ held, free, spare }: Places, modesty = 1): number {
  let room = 0;
  while (mayTake({ held: (held + room) * modesty, free: free - room, spare })) room += 1;
  return room;
}
