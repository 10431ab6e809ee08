// Counts lines of TypeScript and JavaScript by purpose: `node tools/check/count-lines.mjs`.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** @type {[string, (file: string) => boolean][]} the first that matches counts the file */
const purposes = [
  ['tests beside the product', (file) => /^(apps|libs|clients)\/.*\.test\.ts$/.test(file)],
  ['what tests share (testing)', (file) => file.startsWith('testing/')],
  ['proof', (file) => file.startsWith('proof/')],
  ['tools', (file) => file.startsWith('tools/')],
  ['generated (client types)', (file) => file.endsWith('/generated.ts')],
  ['product (apps, libs, clients)', () => true],
];

const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs'], { encoding: 'utf8' }).trim().split('\n');
const counts = new Map(purposes.map(([purpose]) => [purpose, { files: 0, lines: 0 }]));
for (const file of files) {
  const [purpose = ''] = purposes.find(([, isIt]) => isIt(file)) ?? [];
  const count = counts.get(purpose);
  if (count === undefined) continue;
  count.files += 1;
  count.lines += readFileSync(file, 'utf8').split('\n').length - 1;
}
for (const [purpose, { files: number, lines }] of counts) console.log(`| ${purpose} | ${number} | ${lines} |`);
