import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDocument } from '#apps/api/openapi/document.js';
import { clientTypes } from './client-types.js';
import { errorsPage } from './errors-page.js';

// Writes the OpenAPI document and the types of the client from the endpoints, and the list of errors. With --check it writes nothing, and
// the exit code is 1 when a file differs.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');

/** Formats as `npm run check` requires it. */
function formatted(file: string, text: string): string {
  const args = [biome, 'format', '--colors=off', `--stdin-file-path=${file}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${file} could not be formatted: ${stderr}`);
  return stdout;
}

const document = createDocument();
const files = {
  'docs/openapi.json': JSON.stringify(document, null, 2),
  'clients/typescript/generated.ts': clientTypes(document),
  'docs/errors.md': errorsPage(),
};
const isCheck = process.argv.includes('--check');

for (const [file, text] of Object.entries(files)) {
  const place = path.join(root, file);
  const wanted = file.endsWith('.md') ? text : formatted(file, text);
  if (existsSync(place) && readFileSync(place, 'utf8') === wanted) continue;
  if (isCheck) {
    console.error(`${file} does not say what the endpoints say: npm run client`);
    process.exitCode = 1;
  } else {
    writeFileSync(place, wanted);
    console.log(`Wrote ${file}.`);
  }
}
