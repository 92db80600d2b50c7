import { killRounds } from '../support/kill-rounds.js';
import t from '../support/t.js';

// Generous for busy machines: each round starts real processes.
t.test(
  'kill -9 in the middle of a 30-page retrain and a 6-file job loses, doubles and leaks nothing',
  async (t) => {
    const { rounds, workerKills, ...wrong } = await killRounds(4, (round) => t.comment(`round ${round}`));
    t.equal(rounds, 4);
    t.ok(workerKills > 0, 'a worker alone was killed, too');
    t.same(wrong, {
      jobsNotEnded: 0,
      tasksFailed: 0,
      documentsLost: 0,
      documentsDoubled: 0,
      quotaOff: 0,
      staleTexts: 0,
    });
  },
);
