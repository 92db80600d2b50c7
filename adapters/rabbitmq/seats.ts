import type { TaskType } from '../../core/jobs/wire.js';
import { taskTypes } from './topology.js';

/** One slot of a worker, listening to the queue of one type with a prefetch of 1. */
export interface Seat {
  readonly number: number;
  type: TaskType;
  busy: boolean;
}

/** Messages that wait per type, when last looked at. */
export type Waiting = Record<TaskType, number>;

/**
 * Quorum queues have no prefetch over several queues, and a prefetched message that does not run would lose a delivery
 * when its worker dies. So each slot is a consumer of its own that changes queues: one type alone may fill all slots,
 * two types with work share them evenly, and while there is none somebody listens to each.
 */
export const createSeats = (slots: number): Seat[] =>
  Array.from({ length: slots }, (_, index) => ({
    number: index + 1,
    type: taskTypes[index % taskTypes.length] ?? 'crawl_page',
    busy: false,
  }));

const otherOf = (type: TaskType): TaskType => (type === 'crawl_page' ? 'parse_file' : 'crawl_page');

/** The queue that this seat should listen to next. */
export const bestType = (seat: Seat, seats: readonly Seat[], waiting: Waiting): TaskType => {
  const here = seat.type;
  const there = otherOf(here);
  const seatsHere = seats.filter(({ type }) => type === here).length;
  const seatsThere = seats.length - seatsHere;
  if (waiting[there] === 0) return waiting[here] === 0 && seatsThere === 0 && seatsHere > 1 ? there : here;
  if (waiting[here] === 0) return there;
  return seats.length === 1 || seatsThere + 1 < seatsHere ? there : here;
};
