import { fstatSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where log lines go: waits for nobody, and never holds up the end of the process. */
export interface LogOutput {
  write(line: string): void;
  /** Resolves when all lines are out, nobody reads them any more, or the time is over. */
  flush(deadlineMs: number): Promise<void>;
}

/** Takes lines, or refuses them at once. */
interface LineSink {
  /** False when the line is lost. */
  put(line: string): boolean;
  /** Something is taken and not out yet. */
  isBusy(): boolean;
}

type LineStream = NodeJS.WriteStream & { fd: number };

/** Characters that may wait for a slow reader. */
const MOST_WAITING = 4 * 1024 * 1024;
const LOOK_MS = 10;
const WARN = 40;

/** Lines to this stream, which is `process.stdout` or like it. Lines that cannot be written are dropped and counted. */
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
      while (sink.isBusy() && Date.now() < end) await sleep(LOOK_MS);
    },
  };
}

const noteOf = (dropped: number): string =>
  `${JSON.stringify({ level: WARN, time: Date.now(), dropped, msg: 'log lines were dropped: they could not be written' })}\n`;

/**
 * A reader that is gone (`| tee log` after Ctrl-C) ends the writing for good; one that stands still (a
 * paused pager) costs lines.
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

/** A stream would break at the first full disk, and stay broken when there is room again. */
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
    // Plain numbers would stay behind in Node's buffer: after those of a pipe, its module loader takes linked
    // packages for two (v20).
    return fstatSync(fd, { bigint: true }).isFile();
  } catch {
    return false;
  }
}

const credentials = /([a-z][a-z0-9+.-]*:\/\/)[^\s"\\/?#]*@/gi;
/** Query and fragment; a backslash of the URL itself stands twice in JSON. */
const query = /([a-z][a-z0-9+.-]*:\/\/[^\s"\\?#]*[?#])(?:[^\s"\\]|\\\\)+/gi;

/** URLs of customers' pages carry tokens in their queries, those of engines passwords: neither belongs in a log. */
export const withoutSecrets = (line: string): string =>
  line.includes('://') ? line.replace(credentials, '$1[redacted]@').replace(query, '$1[redacted]') : line;
