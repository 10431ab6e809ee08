import { expect, it } from '@jest/globals';
import { statementsOf } from './sql-statements.js';

it('splits a script at the ends of its statements alone', () => {
  const body = `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'no; never'; -- said; twice
END $$`;
  const check = `ALTER TABLE "a;b" ADD CONSTRAINT c CHECK (x <> 'it''s;' AND y - 1 > 0 / 2)`;
  const script = `-- a; comment\n${check};\n/* another; one */ ${body};\n\nDROP TRIGGER t ON a\n`;
  expect(statementsOf(script)).toEqual([check, body, 'DROP TRIGGER t ON a']);
});
