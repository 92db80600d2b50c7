/** Of goals that may be missed, by their `what`: why, and what it would take. Shown only where one of them is missed. */
export const misses: readonly { of: readonly string[]; text: string }[] = [
  {
    of: [
      'GET agent',
      'GET agent, any of 200',
      'GET settings/ai',
      'GET train',
      'GET list of 20',
      'GET list of 20, of any of 32 agents',
    ],
    text: '**Reads.** The floor looks at no key, no plan and no workspace, and takes no turns between workspaces; by profile, the rest is sockets, the driver and the HTTP server, which it has as well. Peers are waited for in one closed loop, so a p99 holds all that a busy machine does beside. What is left to win: fewer columns, and a list whose count is not read with each page.',
  },
  {
    of: ['PATCH name, many agents', 'PATCH name, one hot agent'],
    text: '**Changes.** The floor says one UPDATE and one SELECT, and knows no agent, no version and no turn. Cadre looks whether the agent is there before it reads the body, reads the row, and changes it on the version that it has read. A workspace has half of the connections for writing, so that its neighbours have the others; the floor has all of them.',
  },
  {
    of: ['POST text of 2 kB', 'POST text of 256 kB'],
    text: '**Texts.** The same rows are written by hand, but with a filler for the index: Cadre divides the text and indexes it, which is most of the processor time of a long one. It would take an index that is built after the answer, and the promise is that a text can be found when it is answered.',
  },
  {
    of: ['tasks accepted one by one', 'tasks of one job'],
    text: '**Tasks.** A task of Cadre is a page that is fetched, read and stored, in rows and a quorum queue that write to disk; a task of BullMQ does nothing, in the memory of one Redis. On two cores, site, worker, API, database, broker and client share what BullMQ has for itself. It would take messages that travel in batches, and small pages read without a thread.',
  },
  {
    of: ['from accepted to running, idle'],
    text: '**From accepted to running.** The answer waits for a commit, and the message for a quorum queue that writes to disk, before a worker fetches the page; BullMQ waits for Redis in memory. Where other work keeps the processors busy (see the load), the p99 of everybody is the time to get one: then BullMQ has it, too.',
  },
  {
    of: ['retrain of mixed pages'],
    text: '**Retrain.** The lone worker has both cores; with API and database beside it, three processes share them, and the worker runs at a lower priority. On more cores the road costs its own time only.',
  },
  {
    of: ['first page', 'middle page', 'last page', 'first page of one type', 'training status'],
    text: '**Lists.** The plans are the same at every size, and a page reads the same number of rows (`test/adapters/sequelize/explain.test.ts`). What is left is how deep the index is and how much of it the buffer of the database holds.',
  },
  {
    of: [
      'most memory of the API while 50 MB of files are read',
      'most memory of the worker while 50 MB of files are read',
    ],
    text: '**Memory beside files.** Every round stores another 50 MB; the API keeps what it is told of them, and searches, within `retrieval.memoryMb`, and what the collector has not yet given back. Three rounds do not show the end of that.',
  },
  {
    of: ['GET agent, one client'],
    text: '**Beside heavy files.** On two cores, two threads that read leave none free; the worker has a lower priority, and the rest is up to the scheduler.',
  },
  {
    of: ['start until it listens, built', 'memory, idle'],
    text: '**Start and memory.** Most of a start is loading modules, and it takes twice as long where others keep the processors busy (see the load). Fewer or bundled modules would help both.',
  },
  {
    of: ['memory of the API by agents touched'],
    text: '**Agents touched.** At most `actors.maxActive` (10,000) agents are kept active, so what grows after that is what the collector has not yet given back, and caches by agent.',
  },
];
