// A loader for Node.js: each function of the product notes the file that it stands in, when it is entered.

import { parse } from '@babel/parser';

const PRODUCT = /\/build\/((?:apps|libs)\/.+)\.js$/;

/** @param {unknown} node @returns {Generator<import('@babel/types').Function>} */
function* functionsIn(node) {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && 'body' in node && /Function|^ObjectMethod$|^Class(Private)?Method$/.test(String(node.type))) {
    yield/** @type {import('@babel/types').Function} */ (node);
  }
  for (const [key, child] of Object.entries(node)) if (key !== 'loc') yield* functionsIn(child);
}

/** @param {string} source @param {string} file */
function instrumented(source, file) {
  const note = `globalThis.noteEntered?.(${JSON.stringify(file)})`;
  /** @type {(readonly [at: number, text: string])[]} */
  const insertions = [];
  for (const { body } of functionsIn(parse(source, { sourceType: 'module' }).program)) {
    const [start, end] = [Number(body.start), Number(body.end)];
    if (body.type === 'BlockStatement') insertions.push([start + 1, `${note};`]);
    else insertions.push([start, `(${note}, `], [end, ')']);
  }
  // From the last one on, so that the places of the others stay true. At one place an end stands before a beginning.
  insertions.sort(([one, a], [other, b]) => other - one || Number(a === ')') - Number(b === ')'));
  let text = source;
  for (const [at, inserted] of insertions) text = text.slice(0, at) + inserted + text.slice(at);
  return text;
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const [, file] = PRODUCT.exec(url) ?? [];
  if (file === undefined || file.includes('/generated/')) return loaded;
  return { ...loaded, source: instrumented(String(loaded.source), `${file}.ts`) };
}
