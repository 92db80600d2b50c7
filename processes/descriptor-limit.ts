import { readFileSync } from 'node:fs';

/** Modules while they load, then connections, files and pipes: below this, a start or requests under load fail. */
const NEEDED = 256;

/** What is wrong with the number of files that this process may have open, and what to do; null when nothing is. */
export function tooFewDescriptors(limit = descriptorLimit()): string | null {
  if (limit === null || limit >= NEEDED) return null;
  return `This process may open only ${limit} files and connections but needs at least ${NEEDED}. Raise the limit, for example with ulimit -n 1024.`;
}

/** Modules alone need some 150 while they load. With fewer, loading may also wait for ever instead of failing. */
const LEAST = 160;

/** Whether a start is without hope. */
export const cannotStart = (limit = descriptorLimit()): boolean => limit !== null && limit < LEAST;

/** How many files this process may have open; null where the system does not say, and for no limit. */
function descriptorLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return limitOfReport();
  }
}

/** Slower, and on systems without /proc. */
function limitOfReport(): number | null {
  const report = process.report?.getReport() as
    | { userLimits?: { open_files?: { soft?: unknown } } }
    | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}
