import { readFileSync } from 'node:fs';

/** Minimum limit of open files for modules, and for connections, files and pipes under load. */
const NEEDED = 320;

/** Returns a warning with advice if the limit of open files is too low; otherwise null. */
export function tooFewDescriptors(limit = descriptorLimit()): string | null {
  if (limit === null || limit >= NEEDED) return null;
  return `This process may open only ${limit} files and connections but needs at least ${NEEDED}. Raise the limit, for example with ulimit -n 1024.`;
}

/**
 * Minimum limit for a start. Loading modules opens about 190 files, and with a lower limit it may hang instead of
 * failing.
 */
const LEAST = 200;

export const cannotStart = (limit = descriptorLimit()): boolean => limit !== null && limit < LEAST;

/** Returns the limit of open files; null if it is unknown or unlimited. */
function descriptorLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return limitOfReport();
  }
}

/** Returns the same for systems without /proc. Slower. */
function limitOfReport(): number | null {
  const report = process.report?.getReport() as
    | { userLimits?: { open_files?: { soft?: unknown } } }
    | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}
