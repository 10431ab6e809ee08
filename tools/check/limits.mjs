// The lengths of functions and files, and objects that are written in a way that costs too much. The linter's own rule counts
// a template literal as one line, but SQL has to be read.

import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { findCostlyObjects } from './costly-objects.mjs';
import { isFold, isFunction, nodesIn } from './syntax.mjs';

const MAX_FUNCTION_LINES = 60;
const MAX_FILE_LINES = 400;

/** Every function and file that is too long, and every spread that hides lines, as a line of text. @param {string} file */
export function findTooLong(file) {
  const source = readFileSync(file, 'utf8');
  const lines = source.trimEnd().split('\n');
  const isTest = /\.test\.tsx?$/.test(file);
  const isLong = lines.length > MAX_FILE_LINES;
  const faults = isLong ? [`${file} has ${lines.length} lines, more than ${MAX_FILE_LINES}`] : [];
  const plugins = /** @type {import('@babel/parser').ParserPlugin[]} */ (
    file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript']
  );
  const { program } = parse(source, { sourceType: 'module', plugins });
  faults.push(...findCostlyObjects(file, program));
  for (const node of nodesIn(program)) {
    const { loc } = node;
    if (!loc) continue;
    if (isFold(node)) faults.push(`${file}:${loc.start.line} a spread that only folds lines`);
    if (isTest || !isFunction(node)) continue;
    const length = lines.slice(loc.start.line - 1, loc.end.line).filter((line) => line.trim() !== '').length;
    if (length > MAX_FUNCTION_LINES) {
      faults.push(`${file}:${loc.start.line} a function of ${length} lines, more than ${MAX_FUNCTION_LINES}`);
    }
  }
  return faults;
}
