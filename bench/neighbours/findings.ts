/** What is known of each bad thing, true for the code as it is: what protects the others, and what is left. */
export const findings: readonly { badThing: string; finding: string }[] = [
  {
    badThing: '200 bodies of 2 MiB',
    finding:
      'While others are there, they wait at the door, unread, until a quarter of the thread is enough for them. Each is received in some 32 pieces, and between two that are made values of, others have the thread for 32 times as long, 100 ms at most: the collection of their garbage is counted for nobody. By what the system counts, the event loop waits for a processor for a third to half of the time, mostly behind the client that sends the bodies.',
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
      'They are divided and indexed in threads of lower priority, by turns of workspaces. Body, hash and the turn that writes half a megabyte are pieces of the one thread; between them, others have it. Commits wait for the disk, and move to the database file, outside of it. On two processors, the event loop still waits for a processor for a third of the time.',
  },
  {
    badThing: 'Uploads that nobody registers',
    finding:
      'Each piece of some 64 kB counts, and waits as a request does. Commits of others wait for the same disk as the pieces, but hold up no reads. The quiet tenant itself has two things under way at most, so it never waits at the door, though a thread that waits for a processor counts as used by whoever has it.',
  },
  {
    badThing: 'Chains of slow robots.txt, tarpit pages',
    finding: 'A page that waits for its site takes no slot of a worker.',
  },
  {
    badThing: 'Heavy files',
    finding:
      'They are read in a process of lower priority, and one thread stays for others. For the sake of what it reports, nobody waits at the door.',
  },
  {
    badThing: 'Retrains',
    finding:
      'What workers report is handed over by turns of the agents, in turns that wait at the door, too, beside the line of requests. Each change of an agent with 20,000 pages touches some eighty pages of the database, so changes of others wait for a disk that is busy with these. The worker shares the second processor with the clients, at a lower priority, and a page of another waits for that, too.',
  },
  {
    badThing: 'Deletion',
    finding: 'The rows go in pieces, each a short transaction. The writers beside it wait at the door.',
  },
];
