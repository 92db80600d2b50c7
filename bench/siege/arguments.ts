import { parseArgs } from 'node:util';

export interface SiegeArguments {
  minutes: number;
  kills: number;
  seed: number;
  /** Measurements after the siege. */
  measure: boolean;
}

const help = `npm run bench:siege -- [--minutes 20] [--kills 50] [--seed 1] [--no-measure]

Two API and two worker processes on a MariaDB, a RabbitMQ and an Azurite of the siege's own, under load, while processes die and
hang, engines stop and start, connections are cut, frozen and delayed, events come twice and garbage lies in the queues. Then it
is held against what was promised. Ends with 1 when a promise was broken.

  --minutes     how long the faults last
  --kills       faults of each kind in that time
  --seed        chance comes from here
  --no-measure  without the measurements that follow: time to recover, fairness`;

/** Returns null for --help. */
export function readArguments(args: string[]): SiegeArguments | null {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '20' },
      kills: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      'no-measure': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return null;
  }
  const number = (name: 'minutes' | 'kills' | 'seed'): number => {
    const value = Number(values[name]);
    if (!(value >= 0)) throw new Error(`--${name} takes a number: ${values[name]}`);
    return value;
  };
  return {
    minutes: number('minutes'),
    kills: number('kills'),
    seed: number('seed'),
    measure: !values['no-measure'],
  };
}
