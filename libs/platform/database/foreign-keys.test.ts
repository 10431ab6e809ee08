import { expect, it } from '@jest/globals';
import { foreignKeysOf, withoutForeignKeys } from './foreign-keys.js';

const first = `
CREATE TABLE "notes" ("account_id" BIGINT NOT NULL);
-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_user_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "users"("account_id", "id") ON DELETE RESTRICT;
-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_account_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id");
ALTER TABLE notes ADD CONSTRAINT notes_text CHECK (text <> ';');`;
const second = 'ALTER TABLE "notes" DROP CONSTRAINT "notes_account_fkey";';

it('finds the foreign keys that the migrations leave', () => {
  expect(foreignKeysOf([first, second]).map(({ table, name, target }) => [table, name, target])).toEqual([
    ['notes', 'notes_user_fkey', 'users'],
  ]);
  expect(foreignKeysOf([first])).toHaveLength(2);
});

it('leaves all other statements of a script alone', () => {
  const rest = withoutForeignKeys(first);
  expect(rest).not.toContain('FOREIGN KEY');
  expect(rest).toContain('CREATE TABLE "notes"');
  expect(rest).toContain(`CHECK (text <> ';')`);
});
