/** A comment, a quoted text, a name, a function's body, or what stands between them. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|[^;'"$/-]+|[\s\S]/g;

/** The statements of a script: Citus sends some of them to its nodes as they stand, which must be one at a time. */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let statement = '';
  for (const [token] of script.matchAll(TOKEN)) {
    if (token !== ';') {
      statement += token.startsWith('--') || token.startsWith('/*') ? ' ' : token;
      continue;
    }
    statements.push(statement.trim());
    statement = '';
  }
  return [...statements, statement.trim()].filter((each) => each !== '');
}
