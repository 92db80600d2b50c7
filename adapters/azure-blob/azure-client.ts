import type { TokenCredential } from '@azure/identity';
import type {
  BlobSASSignatureValues,
  ContainerClient,
  StoragePipelineOptions,
  UserDelegationKey,
} from '@azure/storage-blob';
import { StorageError } from '../../core/ports/storage.port.js';
import type { AzureBlobOptions } from './azure-options.js';

/** A container, with a function that signs URLs for its blobs. */
export interface AzureContainer {
  client: ContainerClient;
  /** Returns the query of a URL that allows writing this blob, and nothing else, until `expiresOn`. */
  signWrite(blobName: string, expiresOn: Date): Promise<string>;
}

type Sdk = typeof import('@azure/storage-blob');

/** Signatures are valid from this long ago, in milliseconds, because the local clock may be ahead of Azure's. */
const backdateMs = 15 * 60 * 1000;
const delegationKeyMs = 24 * 60 * 60 * 1000;
const requestMs = 15_000;
/** Service version of signed URLs. Some clouds and the emulator do not support the SDK's newest version. */
const signedVersion = '2023-11-03';

const pipeline: StoragePipelineOptions = {
  retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2000, tryTimeoutInMs: 30_000 },
  userAgentOptions: { userAgentPrefix: 'cadre' },
};

/**
 * Loads the SDK and creates a client. Makes no request. Throws STORAGE_FAILED if the connection string contains no
 * usable account key.
 */
export async function connect(options: AzureBlobOptions, now: () => number): Promise<AzureContainer> {
  const { connectionString, accountUrl = '', container } = options;
  if (connectionString !== undefined) return withAccountKey(connectionString, container, now);
  const { DefaultAzureCredential } = await import('@azure/identity');
  return withIdentity(accountUrl, container, new DefaultAzureCredential(), now);
}

async function withAccountKey(
  connectionString: string,
  container: string,
  now: () => number,
): Promise<AzureContainer> {
  const sdk = await import('@azure/storage-blob');
  const service = parse(sdk, connectionString);
  const { credential } = service;
  if (!(credential instanceof sdk.StorageSharedKeyCredential)) throw unusable();
  const client = service.getContainerClient(container);
  return {
    client,
    async signWrite(blobName, expiresOn) {
      return sdk
        .generateBlobSASQueryParameters(writeGrant(sdk, client, blobName, expiresOn, now()), credential)
        .toString();
    },
  };
}

function parse(sdk: Sdk, connectionString: string) {
  try {
    return sdk.BlobServiceClient.fromConnectionString(connectionString, pipeline);
  } catch {
    throw unusable(); // no cause: its message may contain the connection string with the key
  }
}

const unusable = (): StorageError =>
  new StorageError(
    'STORAGE_FAILED',
    'connectionString must be that of a storage account and contain its AccountKey',
  );

/**
 * Creates a client that signs with a user delegation key, which Azure issues to an identity, instead of an account
 * key.
 */
export async function withIdentity(
  accountUrl: string,
  container: string,
  credential: TokenCredential,
  now: () => number,
  transport: StoragePipelineOptions = {},
): Promise<AzureContainer> {
  const sdk = await import('@azure/storage-blob');
  const service = new sdk.BlobServiceClient(accountUrl, credential, { ...pipeline, ...transport });
  const client = service.getContainerClient(container);
  const keyUntil = delegationKeys(
    (startsOn, expiresOn) =>
      service.getUserDelegationKey(startsOn, expiresOn, { abortSignal: AbortSignal.timeout(requestMs) }),
    now,
  );
  return {
    client,
    async signWrite(blobName, expiresOn) {
      const key = await keyUntil(expiresOn);
      const grant = writeGrant(sdk, client, blobName, expiresOn, now());
      return sdk.generateBlobSASQueryParameters(grant, key, service.accountName).toString();
    },
  };
}

const writeGrant = (
  sdk: Sdk,
  client: ContainerClient,
  blobName: string,
  expiresOn: Date,
  nowMs: number,
): BlobSASSignatureValues => ({
  containerName: client.containerName,
  blobName,
  version: signedVersion,
  permissions: sdk.BlobSASPermissions.parse('w'),
  startsOn: new Date(nowMs - backdateMs),
  expiresOn,
  protocol: client.url.startsWith('https:') ? sdk.SASProtocol.Https : sdk.SASProtocol.HttpsAndHttp,
});

/**
 * Returns a function that caches an identity's signing key and reuses it for all URLs that expire before the key.
 * Concurrent callers share one call of `fetchKey`. After a failure, the next caller tries again.
 */
export function delegationKeys(
  fetchKey: (startsOn: Date, expiresOn: Date) => Promise<UserDelegationKey>,
  now: () => number,
): (usableUntil: Date) => Promise<UserDelegationKey> {
  let current: { key: Promise<UserDelegationKey>; endsMs: number } | undefined;
  return (usableUntil) => {
    if (current && usableUntil.getTime() <= current.endsMs) return current.key;
    const nowMs = now();
    const endsMs = Math.max(usableUntil.getTime(), nowMs + delegationKeyMs);
    const fetched = { key: fetchKey(new Date(nowMs - backdateMs), new Date(endsMs)), endsMs };
    current = fetched;
    fetched.key.catch(() => {
      if (current === fetched) current = undefined;
    });
    return fetched.key;
  };
}
