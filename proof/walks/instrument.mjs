// A loader for Node.js: each function of the product notes the file that it stands in, when it is entered.

import { parse } from '@babel/parser';
import { isFunction, nodesIn } from '../../tools/check/syntax.mjs';

const PRODUCT = /\/build\/((?:apps|libs)\/.+)\.js$/;

/** @param {string} source @param {string} file */
function instrumented(source, file) {
  const note = `globalThis.noteEntered?.(${JSON.stringify(file)})`;
  /** @type {(readonly [at: number, text: string])[]} */
  const insertions = [];
  for (const node of nodesIn(parse(source, { sourceType: 'module' }).program)) {
    if (!isFunction(node)) continue;
    const { body } = node;
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
