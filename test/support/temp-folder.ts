import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/** A new folder outside the project, deleted when the test ends. */
export function tempFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
