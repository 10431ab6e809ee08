// Bundles the page of the console, which is compiled already, into `build/apps/console/public`: the page, and its script, style
// and icon with the hash of their content in their names.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './setup.mjs';

const target = path.join(root, 'build/apps/console/public');
const MAIN = 'build/apps/console/ui/main.js';

/**
 * What comes later imports the first script. Otherwise esbuild makes a file of each set of parts that share something with
 * it, and the first view would wait for thirty files.
 */
const firstScriptInOne = {
  name: 'first-script-in-one',
  setup(/** @type {import('esbuild').PluginBuild} */ { onResolve, onLoad }) {
    /** @type {Set<string>} */
    const later = new Set();
    onResolve({ filter: /^\./ }, ({ kind, resolveDir, path: imported }) => {
      if (kind === 'dynamic-import') later.add(path.resolve(resolveDir, imported));
      return undefined;
    });
    onLoad({ filter: /\/ui\/.*\.js$/ }, ({ path: file }) =>
      later.has(file)
        ? { contents: `import ${JSON.stringify(path.join(root, MAIN))};\n${readFileSync(file, 'utf8')}` }
        : undefined,
    );
  },
};

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [MAIN, 'apps/console/ui/style.css', 'apps/console/ui/icon.svg'],
  plugins: [firstScriptInOne],
  outdir: path.join(target, 'assets'),
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy' },
  chunkNames: '[name]-[hash]',
  bundle: true,
  // What few pages need is a file of its own, and so is what those share with the first script.
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  // Chromium then compiles the functions in another thread, not one after the other when the first view calls them.
  banner: { js: '//# allFunctionsCalledOnLoad' },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});

const addressIn = (/** @type {string} */ file) => `/assets/${path.basename(file)}`;

/** The address of the file that was made of this one. */
function addressOf(/** @type {string} */ source) {
  const [output] = Object.entries(metafile.outputs).find(([, { inputs }]) => source in inputs) ?? [];
  if (output === undefined) throw new Error(`Nothing was bundled of ${source}`);
  return addressIn(output);
}

/** @typedef {import('esbuild').Metafile['outputs'][string]} Output */

const first = addressOf(MAIN);

/** The addresses of a script and of what it imports, but for the first script. */
function addressesOf(/** @type {string} */ file) {
  const { imports } = /** @type {Output} */ (metafile.outputs[file]);
  const others = imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path: imported }) => addressIn(imported));
  return [addressIn(file), ...others.filter((address) => address !== first)];
}

/** By the names of their modules. The server tells the browser to load the one of a page beside the first script. */
const later = Object.entries(metafile.outputs)
  .filter(([, { entryPoint }]) => entryPoint?.startsWith('build/apps/console/ui/pages/'))
  .map(([file, { entryPoint = '' }]) => [path.basename(entryPoint, '.js'), addressesOf(file)]);
writeFileSync(path.join(target, 'later-scripts.json'), JSON.stringify(Object.fromEntries(later)));

writeFileSync(
  path.join(target, 'index.html'),
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>Betting Ledger</title>
    <link rel="icon" type="image/svg+xml" href="${addressOf('apps/console/ui/icon.svg')}">
    <link rel="stylesheet" href="${addressOf('apps/console/ui/style.css')}">
    <script type="module" src="${first}"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>The console needs JavaScript. Everything that it does, the API does as well.</noscript>
  </body>
</html>
`,
);
