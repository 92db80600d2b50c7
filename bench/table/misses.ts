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
    text: '**Reads.** The floor looks at no key, no plan and no workspace, and has no turns between workspaces. By profile, the rest is sockets, the driver and the HTTP server, which the floor has as well. A p99 includes whatever else a busy machine does. What could still be saved: columns, and the making of bodies.',
  },
  {
    of: ['PATCH name, many agents', 'PATCH name, one hot agent'],
    text: '**Changes.** The floor sends one UPDATE and one SELECT, and looks at no key, no version and no other client. Cadre finds the caller and the agent before it reads the body, and writes the row only if nobody else has changed it. What it has written lately it does not read again, and writes of the same moment share statements, so the database is not what limits. What is left is spread over the HTTP server, reading the body, the turn, and the garbage of all that. A hot agent shares its turns; each of its requests costs as much as `GET agent` and the reading of a body, and the goal asks for less than that.',
  },
  {
    of: ['POST text of 2 kB', 'POST text of 256 kB'],
    text: '**Texts.** The floor writes the same rows, with a filler in place of the index. Cadre also divides the text into chunks and indexes it before it answers: for 256 kB nearly half of its processor time, in threads. The rest is what the floor does as well, and handing the text to a thread. Indexing later would be faster, but a text must be searchable when the request returns.',
  },
  {
    of: ['tasks accepted one by one', 'tasks of one job'],
    text: '**Tasks.** A task of Cadre fetches, reads and stores a page, and its database and its quorum queue write to disk. A task of BullMQ does nothing, in the memory of one Redis. The table also has BullMQ with the work of such a task; in the job it stores each page, where Cadre finds its pages as before. Cadre’s site, worker, API, database, broker and client share two cores. For tasks one by one, the goal leaves less processor for each than site, client, worker and broker alone take ([where the time goes](../../docs/speed.md#a-task-by-itself)). To come closer, small pages would have to be read without a thread.',
  },
  {
    of: ['from accepted to running, idle'],
    text: '**From accepted to running.** The answer waits for a commit, and the message for a quorum queue that writes to disk. BullMQ waits for Redis, in memory. On a machine that other work keeps busy (see the load), the p99 is mostly the wait for a processor, and BullMQ has that, too.',
  },
  {
    of: ['retrain of mixed pages'],
    text: '**Retrain.** The lone worker has both cores. In the whole service it shares them with API, database and broker, and runs at a lower priority. [Where the time goes](../../docs/speed.md#a-retrain-of-pages-of-1-to-80-kb) has the processor time of each process.',
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
    text: '**Memory beside files.** Each round adds another 50 MB of files. After a forced collection the API holds 36 MB of heap, in the first round as in the seventh. What differs is how much garbage waits for its collection at the peak of a round.',
  },
  {
    of: ['GET agent, one client'],
    text: '**Beside heavy files.** On two cores, two threads that read leave none free; the worker has a lower priority, and the rest is up to the scheduler.',
  },
  {
    of: ['start until it listens, built', 'memory, idle'],
    text: '**Start and memory.** Most of a start is loading 1,200 modules, and it takes twice as long on a machine that other work keeps busy (see the load). All of them in one bundle were measured: a third less time, and 10 MB less.',
  },
  {
    of: ['memory of the API by agents touched'],
    text: '**Agents touched.** At most `actors.maxActive` (10,000) agents are kept active, so what grows after that is what the collector has not yet given back, and caches by agent.',
  },
];
