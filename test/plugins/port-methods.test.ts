import { readFileSync } from 'node:fs';
import { kindNames } from '../../core/ports/plugin.port.js';
import { methods } from '../../plugins/started-shape.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';

t.test('the guide names every method of every port', async (t) => {
  const guide = readFileSync(projectFile('plugins/README.md'), 'utf8');
  const [, table = ''] = /## What a port has\n([\s\S]*?)\n## /.exec(guide) ?? [];
  for (const kind of kindNames) {
    const row = table.split('\n').find((line) => line.startsWith(`| \`${kind}\``)) ?? '';
    const [, , required = '', optional = ''] = row.split('|');
    for (const [name, isRequired] of Object.entries(methods[kind]))
      t.match(isRequired ? required : optional, `\`${name}\``, `${kind}: ${name}`);
  }
});
