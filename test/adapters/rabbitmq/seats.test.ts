import t from 'tap';
import { bestType, createSeats, type Waiting } from '../../../adapters/rabbitmq/seats.js';

/** Lets every seat choose once, in turn; the seats per type afterwards. */
const settle = (slots: number, waiting: Waiting, rounds = 1) => {
  const seats = createSeats(slots);
  for (let round = 0; round < rounds; round += 1) {
    for (const seat of seats) seat.type = bestType(seat, seats, waiting);
  }
  return [
    seats.filter(({ type }) => type === 'crawl_page').length,
    seats.filter(({ type }) => type === 'parse_file').length,
  ];
};

t.test('where one type waits it gets every seat', async (t) => {
  t.same(settle(4, { crawl_page: 9, parse_file: 0 }), [4, 0]);
  t.same(settle(4, { crawl_page: 0, parse_file: 9 }), [0, 4]);
  t.same(settle(1, { crawl_page: 0, parse_file: 1 }), [0, 1]);
});

t.test('two types with work share the seats', async (t) => {
  t.same(settle(4, { crawl_page: 9, parse_file: 9 }, 3), [2, 2]);
  t.same(settle(5, { crawl_page: 9, parse_file: 9 }, 3), [3, 2]);
});

t.test('a single seat takes turns', async (t) => {
  t.same(settle(1, { crawl_page: 9, parse_file: 9 }, 1), [0, 1]);
  t.same(settle(1, { crawl_page: 9, parse_file: 9 }, 2), [1, 0]);
});

t.test('with nothing to do somebody listens to each type', async (t) => {
  const seats = createSeats(3);
  for (const seat of seats) seat.type = 'parse_file';
  for (const seat of seats) seat.type = bestType(seat, seats, { crawl_page: 0, parse_file: 0 });
  t.same(seats.map(({ type }) => type).sort(), ['crawl_page', 'parse_file', 'parse_file']);
});
