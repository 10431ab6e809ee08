/** A foreign key of the migrations. */
export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly target: string;
  /** The statement that adds it. */
  readonly sql: string;
}

// As Prisma writes them.
const ADD = /ALTER TABLE "(\w+)" ADD CONSTRAINT "(\w+)" FOREIGN KEY [^;]*? REFERENCES "(\w+)"[^;]*;/g;
const DROP = /ALTER TABLE "\w+" DROP CONSTRAINT "(\w+)";/g;

/** The script without the statements that add foreign keys. */
export const withoutForeignKeys = (script: string): string => script.replace(ADD, '');

/** The foreign keys that these scripts leave, one after the other. */
export function foreignKeysOf(scripts: readonly string[]): ForeignKey[] {
  const keys = new Map<string, ForeignKey>();
  for (const script of scripts) {
    for (const [, name = ''] of script.matchAll(DROP)) keys.delete(name);
    for (const [sql, table = '', name = '', target = ''] of script.matchAll(ADD)) {
      keys.set(name, { table, name, target, sql });
    }
  }
  return [...keys.values()];
}
