import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runInstalled } from '../support/example-repository.js';
import { projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';

const example = join(projectFolder, 'plugins/examples/local-embedding');
const skip = existsSync(join(example, 'model/tokenizer.json'))
  ? false
  : `run \`npm install --ignore-scripts && npm run model\` in ${example} first`;

t.test('the example embeds texts with its model', { skip }, (t) => runInstalled(t, example, 'model.test.js'));
