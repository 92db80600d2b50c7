import { projectFolder } from './project-folder.js';
import { runFile } from './t.js';

/*
 * Runs test files in this process, one after the other, because loading the service takes a second of processor time in
 * each process. `TEST_FILES` names them, relative to the project's folder.
 */

for (const file of (process.env.TEST_FILES ?? '').split(' '))
  await runFile(file, () => import(`${projectFolder}/dist-test/${file.replace(/ts$/, 'js')}`));
