// Bundles the page of the console, which is compiled already, into `build/apps/console/public`: the page, and its script, style
// and icon with the hash of their content in their names.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from './setup.mjs';

const target = path.join(root, 'build/apps/console/public');

const { metafile } = buildSync({
  absWorkingDir: root,
  entryPoints: ['build/apps/console/ui/main.js', 'apps/console/ui/style.css', 'apps/console/ui/icon.svg'],
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

/** The address of the file that was made of this one. */
function addressOf(/** @type {string} */ source) {
  const [output] = Object.entries(metafile.outputs).find(([, { inputs }]) => source in inputs) ?? [];
  if (output === undefined) throw new Error(`Nothing was bundled of ${source}`);
  return `/assets/${path.basename(output)}`;
}

/** The addresses of the files that the first script imports at once: the browser need not read it to begin with them. */
const [first] = Object.values(metafile.outputs).filter(
  ({ entryPoint }) => entryPoint === 'build/apps/console/ui/main.js',
);
const atOnce = (first?.imports ?? [])
  .filter(({ kind }) => kind === 'import-statement')
  .map(({ path: file }) => `\n    <link rel="modulepreload" href="/assets/${path.basename(file)}">`);

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
    <link rel="stylesheet" href="${addressOf('apps/console/ui/style.css')}">${atOnce.join('')}
    <script type="module" src="${addressOf('build/apps/console/ui/main.js')}"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>The console needs JavaScript. Everything that it does, the API does as well.</noscript>
  </body>
</html>
`,
);
