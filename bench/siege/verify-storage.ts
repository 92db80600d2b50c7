import { BlobServiceClient } from '@azure/storage-blob';
import { connect } from 'amqplib';
import { queueNames } from '../../adapters/rabbitmq/topology.js';
import { OWNER } from '../../core/workspaces/installation-claim.js';
import { PROCESSES } from '../../core/workspaces/presence.js';
import type { Installation } from './installation.js';
import type { Broken } from './verify-api.js';

const SHOWN = 5;

/** Counts orphaned and missing objects. */
export async function verifyStorage(
  { storageConnectionString, rows }: Installation,
  wrong: (what: string) => void,
): Promise<Broken> {
  const service = BlobServiceClient.fromConnectionString(storageConnectionString);
  const there = new Set<string>();
  for await (const container of service.listContainers()) {
    for await (const blob of service.getContainerClient(container.name).listBlobsFlat()) there.add(blob.name);
  }
  const wanted = new Set(
    (
      await rows(
        'SELECT storage_path AS path FROM documents WHERE storage_path IS NOT NULL UNION SELECT path FROM uploads',
      )
    ).map(({ path }) => String(path)),
  );
  const files = new Set(
    (await rows('SELECT storage_path AS path FROM documents WHERE storage_path IS NOT NULL')).map(
      ({ path }) => String(path),
    ),
  );
  const ownerless = [...there].filter((name) => !wanted.has(name) && ![OWNER, PROCESSES].includes(name));
  const missing = [...files].filter((path) => !there.has(path));
  for (const name of ownerless.slice(0, SHOWN)) wrong(`objects without an owner: ${name}`);
  for (const name of missing.slice(0, SHOWN)) wrong(`objects missing: ${name}`);
  return { 'objects without an owner': ownerless.length, 'objects missing': missing.length };
}

/** Counts messages that were not consumed. */
export async function verifyQueues({ amqpUrl, prefix }: Installation): Promise<Broken> {
  const { tasks, ...others } = queueNames(prefix);
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  let left = 0;
  for (const queue of [...Object.values(tasks), ...Object.values(others)])
    left += (await channel.checkQueue(queue)).messageCount;
  await connection.close();
  return { 'messages left in queues': left };
}
