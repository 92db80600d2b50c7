import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Worker } from 'tesseract.js';
import type { Grey, RecognisedLine, RecogniseText } from '../../reader/recognise-page.js';
import { languageDataPath } from './language-data.js';

/** Pages are enlarged to about this resolution, in dots per inch. Without a value, the engine prints a guess. */
const RESOLUTION = '300';

/** A file in the engine's own memory, instead of the log. */
const DEBUG_FILE = '/debug.txt';

/** The engine of this thread with its languages. Starting one takes as long as a third of a page. */
let current: { languages: string; worker: Promise<Worker> } | null = null;

/** Returns a function that recognises text in these languages, of which all data must be installed. */
export function recogniserOf(languages: readonly string[]): RecogniseText {
  return async (image) => {
    const worker = await engineFor(languages);
    const { data } = await worker.recognize(
      asGreymap(image),
      { rotateAuto: true },
      { text: false, blocks: true },
    );
    return linesOf(data);
  };
}

async function engineFor(languages: readonly string[]): Promise<Worker> {
  const key = languages.join('+');
  if (current?.languages !== key) {
    const previous = current;
    current = { languages: key, worker: start(languages) };
    await previous?.worker.then((worker) => worker.terminate()).catch(() => {});
  }
  return current.worker;
}

/** The engine reads all data from one folder, and each package contains one language. */
async function start(languages: readonly string[]): Promise<Worker> {
  const { createWorker, OEM, PSM } = await import('tesseract.js');
  const folder = await mkdtemp(join(tmpdir(), 'cadre-languages-'));
  try {
    for (const language of languages) {
      const from = languageDataPath(language);
      if (from !== null) await copyFile(from, join(folder, `${language}.traineddata.gz`));
    }
    const worker = await createWorker([...languages], OEM.LSTM_ONLY, {
      langPath: folder,
      cacheMethod: 'none',
    });
    await worker.setParameters({
      tessedit_pageseg_mode: PSM.AUTO,
      user_defined_dpi: RESOLUTION,
      debug_file: DEBUG_FILE,
    });
    return worker;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Encodes an image as a portable greymap (Netpbm, format P5). */
const asGreymap = ({ width, height, pixels }: Grey): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), pixels]);

const linesOf = ({ blocks }: Page): RecognisedLine[] =>
  (blocks ?? []).flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ lines }) =>
      lines.map(({ words, baseline, rowAttributes }) => ({
        words: words.map(({ text, confidence, bbox }) => ({
          text,
          confidence,
          left: bbox.x0,
          right: bbox.x1,
        })),
        baseline: (baseline.y0 + baseline.y1) / 2,
        height: rowAttributes.rowHeight,
      })),
    ),
  );
