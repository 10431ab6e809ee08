import { parse } from '@babel/parser';

interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

const GROUPS = ['describe', 'describeInBrowser'];
const TESTS = ['it', 'test'];

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null && 'type' in value;

/** `it` of `it(…)` and of `it.each(…)(…)`. */
function functionOf({ callee }: SyntaxNode): string | undefined {
  let node = callee;
  while (isNode(node) && node.type !== 'Identifier') node = node.object ?? node.callee ?? node.tag;
  return isNode(node) ? String(node.name) : undefined;
}

function titleOf({ arguments: given }: SyntaxNode): string | undefined {
  const [title] = given as unknown[];
  return isNode(title) && title.type === 'StringLiteral' ? String(title.value) : undefined;
}

function* namesUnder(value: unknown, path: readonly string[]): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesUnder(item, path);
  if (!isNode(value)) return;
  const name = value.type === 'CallExpression' ? functionOf(value) : undefined;
  const isGroup = name !== undefined && GROUPS.includes(name);
  const isTest = name !== undefined && TESTS.includes(name);
  const title = isGroup || isTest ? titleOf(value) : undefined;
  if (title !== undefined && isTest) yield [...path, title].join(' ');
  const inside = title !== undefined && isGroup ? [...path, title] : path;
  for (const child of Object.values(value)) yield* namesUnder(child, inside);
}

/** The full names of the tests in a source file, with the titles around them; those of a table as they are written. */
export const testNamesIn = (source: string): Set<string> =>
  new Set(namesUnder(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program, []));
