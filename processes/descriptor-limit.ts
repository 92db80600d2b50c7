import { readFileSync } from 'node:fs';

/** Enough for loading modules, and for connections, files and pipes under load. */
const NEEDED = 256;

/** Returns a warning about the limit of open files with advice; null if it is high enough. */
export function tooFewDescriptors(limit = descriptorLimit()): string | null {
  if (limit === null || limit >= NEEDED) return null;
  return `This process may open only ${limit} files and connections but needs at least ${NEEDED}. Raise the limit, for example with ulimit -n 1024.`;
}

/** Loading modules needs some 150. With fewer, it may hang instead of failing. */
const LEAST = 160;

export const cannotStart = (limit = descriptorLimit()): boolean => limit !== null && limit < LEAST;

/** Limit of open files; null if it is unknown or unlimited. */
function descriptorLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return limitOfReport();
  }
}

/** Slower, for systems without /proc. */
function limitOfReport(): number | null {
  const report = process.report?.getReport() as
    | { userLimits?: { open_files?: { soft?: unknown } } }
    | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}
