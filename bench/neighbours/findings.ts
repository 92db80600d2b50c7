/** What is known of each bad thing, true for the code as it is: what protects the others, and what is left. */
export const findings: readonly { badThing: string; finding: string }[] = [
  {
    badThing: '200 bodies of 2 MiB',
    finding:
      'While others are there, they wait at the door, unread, until a quarter of the thread is enough for them. Each is received in some 32 pieces, and made values of in a round of its own. That is not enough: in a short run on a busy machine, the thread did not rest (98 % of the time, a tenth of it for garbage). So a good part of what these bodies cost is not counted for their workspace.',
  },
  {
    badThing: '500 bodies, a byte a second',
    finding: 'A connection that waits for bytes takes no part of the thread.',
  },
  {
    badThing: '200 readers that take no answer',
    finding:
      'Requests on one connection are worked on one after the other, and what is not taken holds memory of their workspace alone.',
  },
  {
    badThing: '2,000 silent connections',
    finding: 'They take a descriptor each, and go when nothing has come for 30 seconds.',
  },
  {
    badThing: 'Big settings',
    finding:
      'Each change writes and answers all settings, 256 kB. While others are there, the next ones wait at the door until a quarter of the thread is enough for them; before, the thread did not rest, and a request found two or three rounds of such work ahead.',
  },
  {
    badThing: 'Texts of 256 kB',
    finding:
      'They are divided and indexed in threads. Body, hash and the turn that writes half a megabyte are pieces of the one thread; between them, others have it.',
  },
  {
    badThing: 'Uploads that nobody registers',
    finding:
      'Each piece of some 64 kB counts, and waits as a request does. Commits of SQLite wait for the same disk.',
  },
  {
    badThing: 'Chains of slow robots.txt, tarpit pages',
    finding: 'A page that waits for its site takes no slot of a worker.',
  },
  {
    badThing: 'Heavy files',
    finding: 'They are read in a process of lower priority, and one thread stays for others.',
  },
  {
    badThing: 'Retrains',
    finding:
      'What workers report is taken in turns, which wait as requests do, also those of the pages that are under way. The worker shares the second processor with the clients, at a lower priority. The thread hardly rested in a short run on a busy machine (96 % of the time), which has not been profiled.',
  },
  {
    badThing: 'Deletion',
    finding: 'The rows go in pieces, each a short transaction. The writers beside it wait at the door.',
  },
];
