import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { byKind, kindsOf, type PluginKind, pluginKinds } from '../../core/ports/plugin.port.js';
import { loadPlugins, type PluginSelection } from '../../plugins/load-plugins.js';
import { PluginError } from '../../plugins/plugin-error.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';

const defaults = byKind((kind) => ({ use: pluginKinds[kind].standard, options: {} }));

const storage = (fields = ''): string =>
  `{ kind: 'storage', name: 'mine', contract: 1, optionsSchema: { type: 'object' }, start: async () => {}, ${fields} }`;
const queue = storage("kind: 'queue', name: 'my-queue'");

const loadFrom = (baseDir: string, selected: Partial<Record<PluginKind, PluginSelection>>) =>
  loadPlugins({ ...defaults, ...selected }, { baseDir });

async function problemsOf(
  baseDir: string,
  selected: Partial<Record<PluginKind, PluginSelection>>,
): Promise<readonly string[]> {
  try {
    await loadFrom(baseDir, selected);
  } catch (error) {
    if (error instanceof PluginError) return error.problems;
    throw error;
  }
  return [];
}

let modules = 0;

/** A folder with `source` as a module under a unique name: Node imports a path only once. */
function moduleOf(t: Test, source: string): { folder: string; use: string } {
  modules += 1;
  const file = `mine-${modules}.mjs`;
  return { folder: t.testdir({ [file]: source }), use: `./${file}` };
}

function loadSource(t: Test, source: string, options: object = {}) {
  const { folder, use } = moduleOf(t, source);
  return loadFrom(folder, { storage: { use, options } });
}

function sourceProblems(t: Test, source: string, options: object = {}) {
  const { folder, use } = moduleOf(t, source);
  return problemsOf(folder, { storage: { use, options } });
}

t.test('finds a plugin by relative path, absolute path, and without its extension', async (t) => {
  const folder = t.testdir({
    plugins: {
      'mine.mjs': `export default ${storage()}`,
      own: { 'index.js': `export const plugin = ${storage()}` },
    },
  });
  for (const use of [
    './plugins/mine.mjs',
    './plugins/mine',
    join(folder, 'plugins/mine.mjs'),
    './plugins/own',
  ])
    t.equal((await loadFrom(folder, { storage: { use, options: {} } })).storage.plugin.name, 'mine', use);
  const { storage: loaded } = await loadFrom(join(folder, 'elsewhere'), {
    storage: { use: '../plugins/mine', options: {} },
  });
  t.equal(loaded.plugin.name, 'mine');
});

t.test('finds a package from the base folder upwards, through the exports of its package.json', async (t) => {
  const manifest = (fields: object): string => JSON.stringify({ version: '1.0.0', ...fields });
  const esm = `export default ${storage()}`;
  const folder = t.testdir({
    node_modules: {
      bare: { 'package.json': manifest({ type: 'module' }), 'index.js': esm },
      main: { 'package.json': manifest({ type: 'module', main: './lib/x' }), lib: { 'x.js': esm } },
      text: { 'package.json': manifest({ type: 'module', exports: './x.js' }), 'x.js': esm },
      '@acme': {
        conditional: {
          'package.json': manifest({
            exports: { '.': { types: './x.d.ts', import: { node: './x.mjs' } }, './sub': ['./y.mjs'] },
          }),
          'x.mjs': esm,
          'y.mjs': esm,
        },
      },
      cjs: { 'package.json': manifest({ main: 'x.cjs' }), 'x.cjs': `exports.plugin = ${storage()}` },
      closed: { 'package.json': manifest({ exports: { './only': './x.js' } }) },
      gone: { 'package.json': manifest({ main: 'dist/x.js' }) },
      broken: { 'package.json': '{' },
    },
    etc: {},
  });
  const etc = join(folder, 'etc');
  for (const use of ['bare', 'main', 'text', '@acme/conditional', '@acme/conditional/sub', 'cjs'])
    t.equal((await loadFrom(etc, { storage: { use, options: {} } })).storage.plugin.name, 'mine', use);
  const problems = async (use: string) =>
    (await problemsOf(etc, { storage: { use, options: {} } })).join('\n');
  t.match(
    await problems('closed'),
    /storage "closed": the package in .*closed cannot be loaded: its package\.json exports no \. for import/,
  );
  t.match(await problems('gone'), /its file dist\/x\.js is missing/);
  t.match(await problems('broken'), /its package\.json is not valid JSON/);
});

t.test('an unknown name lists the known names and the paths that were tried', async (t) => {
  const folder = t.testdir({});
  const [typo, ...more] = await problemsOf(folder, { storage: { use: 'azure-blbo', options: {} } });
  t.same(more, []);
  t.match(typo, /^storage "azure-blbo": .*available: filesystem, azure-blob; did you mean azure-blob\?/);
  t.ok(typo?.includes(join(folder, 'node_modules', 'azure-blbo')));
  t.match(await problemsOf(folder, { queue: { use: 'filesystem', options: {} } }), [
    /^queue "filesystem": .*available: local, rabbitmq; it is a built-in storage\)/,
  ]);
  t.match(await problemsOf(folder, { queue: { use: 'constructor', options: {} } }), [/no built-in queue/]);
  t.match(await problemsOf(folder, { queue: { use: 'no name!', options: {} } }), [
    /cannot be the name of a package/,
  ]);
  const [missing] = await problemsOf(folder, { storage: { use: './x', options: {} } });
  for (const tried of ['x,', 'x.js,', 'x.mjs,', 'x/index.js'])
    t.ok(missing?.includes(join(folder, tried)), tried);
});

t.test('the plugin is the default export, the one called plugin, or the only one of its kind', async (t) => {
  const other = storage("name: 'other'");
  const name = async (source: string) => (await loadSource(t, source)).storage.plugin.name;
  t.equal(await name(`export default ${storage()}; export const plugin = ${other}`), 'mine');
  t.equal(await name(`export const plugin = ${storage()}; export const second = ${other}`), 'mine');
  t.equal(
    await name(`export const any = ${storage()}; export default ${queue}; export const kind = 'x'`),
    'mine',
  );
  t.match(await sourceProblems(t, `export const a = ${storage()}; export const b = ${other}`), [
    /exports several storage plugins \(a, b\): export the one to use as default or plugin/,
  ]);
  t.match(await sourceProblems(t, 'export const a = 1; export default 2'), [
    /exports no plugin \(it exports a, default\): export definePlugin/,
  ]);
  t.match(await sourceProblems(t, ''), [/exports no plugin \(it exports nothing\)/]);
});

t.test('rejects a plugin of another kind or contract, or with missing parts', async (t) => {
  t.match(await sourceProblems(t, `export default ${queue}`), [/it is a queue plugin, not a storage plugin/]);
  t.match(await sourceProblems(t, `export default ${storage('contract: 2')}`), [
    /written for contract 2, this Cadre has contract 1: install a newer Cadre, or an older version of the plugin/,
  ]);
  t.match(await sourceProblems(t, `export default ${storage('contract: 0')}`), [
    /contract 0, .* newer version of the plugin/,
  ]);
  t.match(await sourceProblems(t, `export default ${storage("start: 1, name: '', contract: 2")}`), [
    /name must be a non-empty string/,
    /start must be a function/,
    /contract 2/,
  ]);
  t.match(await sourceProblems(t, `export default ${storage("optionsSchema: { type: 'objekt' }")}`), [
    /its optionsSchema is not a valid JSON Schema/,
  ]);
});

t.test('reports a module that cannot be loaded with cause and location', async (t) => {
  t.match(await sourceProblems(t, '\n\n  missing();'), [
    /mine-\d+\.mjs was found but cannot be loaded: ReferenceError: missing is not defined \(at file:.*mine-\d+\.mjs:3:3\)/,
  ]);
  t.match(await sourceProblems(t, "import 'not-installed-anywhere';"), [
    /cannot be loaded: Error: Cannot find package 'not-installed-anywhere'/,
  ]);
  t.match(await sourceProblems(t, 'export default {\n  start( {\n};'), [
    /mine-\d+\.mjs was found but cannot be loaded: SyntaxError: Unexpected token ';' \(at file:.*mine-\d+\.mjs:3: };\)$/,
  ]);
  t.match(await sourceProblems(t, "JSON.parse('{');"), [/SyntaxError: .*mine-\d+\.mjs:1/]);
  t.match(await sourceProblems(t, "throw 'out'"), [/cannot be loaded: out$/]);
});

/** As Node itself loads modules: the loader of the tests accepts either format anywhere. */
async function plainProblem(folder: string, use: string): Promise<string> {
  const built = projectFile('dist/plugins/import-plugin.js').href;
  const script = `const { importPlugin } = await import('${built}');
    console.log((await importPlugin('${use}', 'storage', '${folder}')).problem)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env.PATH },
  });
  return stdout;
}

t.test('the problem of a module in the other format names the format that Node assumes', async (t) => {
  const folder = t.testdir({
    'package.json': '{ "type": "commonjs" }',
    'exports.js': `const a = 1;\nexport default ${storage()}`,
    'imports.js': `import 'node:fs';\nexport default ${storage()}`,
    'requires.mjs': "\nconst fs = require('node:fs'); export default fs",
  });
  const asModule =
    /It is read as CommonJS: name the file \.mjs, or put "type": "module" into the package\.json/;
  t.match(await plainProblem(folder, './exports.js'), asModule);
  t.match(await plainProblem(folder, './exports.js'), /exports\.js:2: export default/);
  t.match(await plainProblem(folder, './imports.js'), asModule);
  t.match(
    await plainProblem(folder, './requires.mjs'),
    /requires\.mjs:2.*It is read as an ES module: use import and export/,
  );
});

t.test('validates options with the schema of the plugin, which adds its defaults', async (t) => {
  const schema = `optionsSchema: {
    type: 'object', additionalProperties: false, required: ['url'],
    properties: {
      url: { type: 'string', format: 'uri' },
      size: { type: 'integer', minimum: 1, default: 7, unit: 'things' },
      mode: { enum: ['a', 'b'] },
      deep: { type: 'object', properties: { on: { type: 'boolean' } } },
    },
  }`;
  const source = `export default ${storage(schema)}`;
  const given = { url: 'https://x' };
  t.same((await loadSource(t, source, given)).storage.options, { url: 'https://x', size: 7 });
  t.same(given, { url: 'https://x' });
  const problems = await sourceProblems(t, source, { ulr: 'x', size: 0, mode: 'c', deep: { on: 1 } });
  t.same(problems.map((problem) => problem.replace(/mine-\d+/, 'mine')).sort(), [
    'storage "./mine.mjs": options: deep.on must be boolean',
    'storage "./mine.mjs": options: mode must be one of a, b',
    'storage "./mine.mjs": options: size must be >= 1',
    'storage "./mine.mjs": options: ulr is not known (did you mean url?)',
    'storage "./mine.mjs": options: url is missing',
  ]);
  t.same((await loadSource(t, `export default ${storage()}`, { anything: 1 })).storage.options, {
    anything: 1,
  });
});

t.test('azure-blob without credentials lists the possible options', async (t) => {
  t.same(await problemsOf('/', { storage: { use: 'azure-blob', options: {} } }), [
    'storage "azure-blob": options: they must have exactly one of: connectionString; accountUrl',
  ]);
});

t.test('reports all problems of all plugins in one message', async (t) => {
  const selected = {
    ...defaults,
    storage: { use: './none.js', options: {} },
    queue: { use: 'rabbitmq', options: { prefix: '', x: 1 } },
    model: { use: 'extractive', options: { x: 1 } },
  };
  const error = await loadPlugins(selected, { baseDir: '/' }).then(
    () => t.fail('loaded'),
    (error: unknown) => error,
  );
  t.type(error, PluginError);
  if (!(error instanceof PluginError)) return;
  t.equal(error.problems.length, 5);
  for (const problem of error.problems) t.ok(error.message.includes(`\n- ${problem}`));
});

t.test('no message reveals the value of an option', async (t) => {
  const secret = 'hunter2-hunter2';
  const schema =
    "optionsSchema: { type: 'object', properties: { token: { type: 'integer', writeOnly: true }, url: { pattern: '^amqp', writeOnly: true }, one: { const: 'x' } } }";
  const message = (source: string) =>
    sourceProblems(t, source, { token: secret, url: secret, one: secret }).then((all) => all.join('\n'));
  const wrong = await message(`export default ${storage(schema)}`);
  t.match(wrong, /token must be integer[\s\S]*url must match pattern "\^amqp"[\s\S]*one must be "x"/);
  t.notMatch(wrong, secret);
  const thrown = await message(`throw new Error('cannot use ${secret}')`);
  t.match(thrown, /cannot use \[redacted\]/);
  t.notMatch(thrown, secret);
});

t.test('kinds that a role does not use are not loaded', async (t) => {
  const selected = { ...defaults, model: { use: './none.js', options: {} } };
  const loaded = await loadPlugins(selected, { baseDir: '/', kinds: kindsOf('worker') });
  t.same(Object.keys(loaded), ['storage', 'queue', 'embedding']);
});
