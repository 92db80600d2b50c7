import { fstatSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Log output that never blocks, even at the end of the process. */
export interface LogOutput {
  write(line: string): void;
  /** Resolves when all lines are written, the reader is gone, or `deadlineMs` has passed. */
  flush(deadlineMs: number): Promise<void>;
}

/** Accepts or rejects lines immediately. */
interface LineSink {
  /** Returns false if the line is dropped. */
  put(line: string): boolean;
  /** Returns whether accepted lines are not written yet. */
  isBusy(): boolean;
}

type LineStream = NodeJS.WriteStream & { fd: number };

/** Maximum characters buffered for a slow reader. */
const MOST_WAITING = 4 * 1024 * 1024;
const POLL_MS = 10;
const WARN = 40;

/**
 * Returns an output to `process.stdout` or a similar stream. Lines that cannot be written are dropped and counted.
 */
export function logOutput(stream: LineStream, mostWaiting = MOST_WAITING): LogOutput {
  const sink = isFile(stream.fd) ? fileSink(stream.fd) : streamSink(stream, mostWaiting);
  let dropped = 0;
  return {
    write(line) {
      if (dropped > 0 && sink.put(noteOf(dropped))) dropped = 0;
      if (!sink.put(withoutSecrets(line))) dropped += 1;
    },
    async flush(deadlineMs) {
      const end = Date.now() + deadlineMs;
      while (sink.isBusy() && Date.now() < end) await sleep(POLL_MS);
    },
  };
}

const noteOf = (dropped: number): string =>
  `${JSON.stringify({ level: WARN, time: Date.now(), dropped, msg: 'log lines were dropped: they could not be written' })}\n`;

/**
 * Writes to a pipe or terminal. If the reader has ended (`| tee log` after Ctrl-C), writing stops permanently. If the
 * reader is blocked (a paused pager), lines are dropped.
 */
function streamSink(stream: LineStream, mostWaiting: number): LineSink {
  let gone = false;
  stream.on('error', () => {
    gone = true;
  });
  return {
    put(line) {
      if (gone || stream.writableLength > mostWaiting) return false;
      stream.write(line);
      return true;
    },
    isBusy: () => !gone && stream.writableLength > 0,
  };
}

/** Writes to a file. Does not use a stream, which would stay broken after the disk was full once. */
const fileSink = (fd: number): LineSink => ({
  put(line) {
    try {
      writeSync(fd, line);
      return true;
    } catch {
      return false;
    }
  },
  isBusy: () => false,
});

function isFile(fd: number): boolean {
  try {
    // With plain numbers, Node.js 20 reuses a buffer that its module loader also needs, which breaks linked packages.
    return fstatSync(fd, { bigint: true }).isFile();
  } catch {
    return false;
  }
}

const credentials = /([a-z][a-z0-9+.-]*:\/\/)[^\s"\\/?#]*@/gi;
/** Matches query and fragment. In JSON, a backslash in a URL is doubled. */
const query = /([a-z][a-z0-9+.-]*:\/\/[^\s"\\?#]*[?#])(?:[^\s"\\]|\\\\)+/gi;

/** Redacts credentials, queries and fragments of URLs, which may contain passwords and tokens. */
export const withoutSecrets = (line: string): string =>
  line.includes('://') ? line.replace(credentials, '$1[redacted]@').replace(query, '$1[redacted]') : line;
