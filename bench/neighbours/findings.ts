/** What protects other workspaces from each bad thing. */
export const findings: readonly { badThing: string; finding: string }[] = [
  {
    badThing: 'Requests of any kind',
    finding:
      'While other workspaces send requests, too, a workspace has at most four requests in progress; the others are queued, their bodies unread.',
  },
  {
    badThing: '200 readers that take no answer',
    finding:
      'Requests on one connection are served one after the other, and a response that is not read counts towards the memory of its own workspace.',
  },
  {
    badThing: '2,000 silent connections',
    finding: 'Each takes a descriptor, and is closed after 30 seconds of silence.',
  },
  {
    badThing: 'Uploads that are never registered',
    finding:
      'Uploads are not queued: each piece of 64 kB takes microseconds of the event loop. Commits of other workspaces wait for the same disk.',
  },
  {
    badThing: 'Chains of slow robots.txt, tarpit pages',
    finding: 'A page that waits for its site holds no slot of a worker.',
  },
  {
    badThing: 'Heavy files',
    finding:
      'They are read in a process of lower priority, and one thread is reserved for workspaces that have none.',
  },
  {
    badThing: 'Deletion',
    finding: 'Rows are deleted in batches, each a short transaction.',
  },
];
