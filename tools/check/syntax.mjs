// Finds nodes of a program, as @babel/parser gives them.

/** @typedef {import('@babel/types').Node} Node */

/** All nodes, from the outside in. @param {unknown} tree @returns {Generator<Node>} */
export function* nodesIn(tree) {
  if (typeof tree !== 'object' || tree === null) return;
  if ('type' in tree) yield/** @type {Node} */ (tree);
  for (const [key, child] of Object.entries(tree)) if (key !== 'loc') yield* nodesIn(child);
}

/** With a body. @param {Node} node @returns {node is import('@babel/types').Function} */
export const isFunction = (node) => /Function|^ObjectMethod$|^Class(Private)?Method$/.test(node.type) && 'body' in node;

/** A spread that only folds lines: `{ ...{ a, b } }`. @param {Node} node */
export const isFold = (node) => node.type === 'SpreadElement' && node.argument.type === 'ObjectExpression';
