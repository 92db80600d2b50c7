import { killRounds } from '../test/support/kill-rounds.js';

/* `npm run bench:kill-rounds [rounds]`: kill -9 while 30 pages are retrained and 6 files are read, repeatedly. */

const rounds = Number(process.argv[2] ?? 100);
const figures = await killRounds(rounds, (round, so) => {
  if (round % 10 === 0) console.log(`after ${round} rounds: ${JSON.stringify(so)}`);
});
console.table(figures);
