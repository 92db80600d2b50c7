import t from 'tap';
import {
  type Connection,
  createPool,
  type Exchange,
  longestWaiting,
  placeLast,
} from '../../../core/http/connection-pool.js';

/** A pool whose connections have names. */
function poolUnderTest() {
  const pool = createPool(10);
  const socket = { bytesRead: 0 };
  const connect = (name: string): Connection & { name: string } => ({
    name,
    socket: { ...socket } as Connection['socket'],
    network: null,
    exchanges: new Set(),
    since: 0,
    bytesRead: 0,
    pools: [pool],
    isExtra: false,
  });
  const newcomer = connect('newcomer');
  return {
    connect(name: string, place: 'waiting' | 'idle', now: number) {
      const connection = connect(name);
      placeLast(connection, place, now);
      return connection;
    },
    longest(now: number): string | undefined {
      placeLast(newcomer, 'waiting', now);
      const found = longestWaiting(pool, newcomer, now);
      return found === null ? undefined : (found as typeof newcomer).name;
    },
    close: (connection: Connection) => void (pool.waiting.delete(connection) || pool.idle.delete(connection)),
  };
}

const exchange = (complete: boolean): Exchange => ({ request: { complete } }) as Exchange;

t.test('closes what has waited longest, then what is idle, then what waits briefly', async (t) => {
  const { connect, longest, close } = poolUnderTest();
  t.equal(longest(0), undefined, 'never the newcomer');
  const idle = connect('idle', 'idle', 0);
  const first = connect('first', 'waiting', 1000);
  const second = connect('second', 'waiting', 2000);
  const brief = connect('brief', 'waiting', 4500);
  t.equal(longest(5000), 'first');
  close(first);
  t.equal(longest(5000), 'second');
  close(second);
  t.equal(longest(5000), 'idle');
  close(idle);
  t.equal(longest(5000), 'brief');
  close(brief);
  t.equal(longest(5000), undefined);
});

t.test(
  'a request in progress is not closed, and a body that arrives counts from its last bytes',
  async (t) => {
    const { connect, longest } = poolUnderTest();
    const working = connect('working', 'waiting', 0);
    working.exchanges.add(exchange(true));
    const sending = connect('sending', 'waiting', 0);
    sending.exchanges.add(exchange(false));
    const unsent = connect('unsent', 'waiting', 1000);
    unsent.exchanges.add(exchange(false));
    Object.assign(sending.socket, { bytesRead: 1 });
    const dripping = connect('headers', 'waiting', 1500);
    t.equal(longest(5000), 'unsent');
    unsent.exchanges.clear();
    unsent.exchanges.add(exchange(true));
    Object.assign(dripping.socket, { bytesRead: 1 });
    t.equal(longest(5500), 'headers', 'headers must arrive at once');
    placeLast(dripping, 'waiting', 6000);
    t.equal(longest(8000), 'sending', 'it stopped');
  },
);
