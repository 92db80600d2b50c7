import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { projectFile } from './project-folder.js';

const script = fileURLToPath(projectFile('node_modules/azurite/dist/src/blob/main.js'));

/** Why the Azure tests are skipped, for tap's `skip`; throws with REQUIRE_SERVICES=1. */
export function azuriteMissing(): string | false {
  if (existsSync(script)) return false;
  const reason = 'Azurite is not installed (npm install brings it)';
  if (process.env.REQUIRE_SERVICES === '1')
    throw new Error(`${reason}, and REQUIRE_SERVICES=1 forbids to skip`);
  return reason;
}

export interface Azurite {
  connectionString: string;
  /** Base URL of the account. */
  accountUrl: string;
  account: string;
  stop(): Promise<void>;
}

/** Starts an empty blob service on a free port, with a new key. */
export async function startAzurite(deadlineMs = 30_000): Promise<Azurite> {
  const [account, key] = ['cadretest', randomBytes(64).toString('base64')];
  const location = await mkdtemp(join(tmpdir(), 'azurite-'));
  const port = await freePort();
  const flags = ['--inMemoryPersistence', '--disableTelemetry', '--skipApiVersionCheck', '--silent'];
  const child = spawn(process.execPath, [script, '--blobPort', String(port), ...flags], {
    cwd: location,
    env: { ...process.env, NODE_OPTIONS: '', AZURITE_ACCOUNTS: `${account}:${key}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const accountUrl = `http://127.0.0.1:${port}/${account}`;
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(location, { recursive: true, force: true });
  };
  try {
    await answering(accountUrl, child, Date.now() + deadlineMs);
  } catch (error) {
    await stop();
    throw error;
  }
  const endpoint = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${accountUrl};`;
  return { connectionString: endpoint, accountUrl, account, stop };
}

async function answering(url: string, child: ChildProcess, deadline: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`Azurite ended with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error('Azurite did not answer in time');
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response) return;
    await delay(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
