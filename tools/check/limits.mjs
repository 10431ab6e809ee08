// The lengths of functions and files. The linter's own rule counts a template literal as one line, but SQL has to be read.

import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';

const MAX_FUNCTION_LINES = 60;
const MAX_FILE_LINES = 300;
const MAX_TEST_FILE_LINES = 400;

/** @param {unknown} node @returns {Generator<import('@babel/types').Function>} */
function* functionsIn(node) {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && /Function|^ObjectMethod$|^Class(Private)?Method$/.test(String(node.type)) && 'body' in node) {
    yield/** @type {import('@babel/types').Function} */ (node);
  }
  for (const [key, child] of Object.entries(node)) if (key !== 'loc') yield* functionsIn(child);
}

/** Spreads that only fold lines: `{ ...{ a, b } }`. @param {unknown} node @returns {Generator<import('@babel/types').SpreadElement>} */
function* foldsIn(node) {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'SpreadElement') {
    const spread = /** @type {import('@babel/types').SpreadElement} */ (node);
    if (spread.argument.type === 'ObjectExpression') yield spread;
  }
  for (const [key, child] of Object.entries(node)) if (key !== 'loc') yield* foldsIn(child);
}

/** Every function and file that is too long, and every spread that hides lines, as a line of text. @param {string} file */
export function findTooLong(file) {
  const source = readFileSync(file, 'utf8');
  const lines = source.trimEnd().split('\n');
  const isTest = /\.test\.tsx?$/.test(file);
  const most = isTest ? MAX_TEST_FILE_LINES : MAX_FILE_LINES;
  const faults = lines.length > most ? [`${file} has ${lines.length} lines, more than ${most}`] : [];
  const plugins = /** @type {import('@babel/parser').ParserPlugin[]} */ (
    file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript']
  );
  const { program } = parse(source, { sourceType: 'module', plugins });
  for (const { loc } of foldsIn(program)) faults.push(`${file}:${loc?.start.line} a spread that only folds lines`);
  if (isTest) return faults;
  for (const { loc } of functionsIn(program)) {
    if (!loc) continue;
    const length = lines.slice(loc.start.line - 1, loc.end.line).filter((line) => line.trim() !== '').length;
    if (length > MAX_FUNCTION_LINES) {
      faults.push(`${file}:${loc.start.line} a function of ${length} lines, more than ${MAX_FUNCTION_LINES}`);
    }
  }
  return faults;
}
