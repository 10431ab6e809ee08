import { describe, expect, it } from '@jest/globals';
import { createStatementNames, PREPARED_WHEN_FREQUENT } from './server.js';

const varying = (number: number) => `${PREPARED_WHEN_FREQUENT} SELECT ${number}`;

/** Asks until the text has a name, or often. */
function nameOfFrequent(nameOf: (text: string) => string, text: string): string {
  for (let use = 0; use < 50; use += 1) nameOf(text);
  return nameOf(text);
}

describe('the name of a statement', () => {
  it('is the one that the statement states, or none', () => {
    const nameOf = createStatementNames();
    expect(nameOf('/* prepared: event window */ SELECT 1')).toBe('event window');
    expect(nameOfFrequent(nameOf, 'SELECT 1')).toBe('');
  });

  it('is given to a text that varies when the text has become frequent', () => {
    const nameOf = createStatementNames();
    expect(nameOf(varying(1))).toBe('');
    expect(nameOfFrequent(nameOf, varying(1))).toBe('frequent 1');
    expect(nameOfFrequent(nameOf, varying(2))).toBe('frequent 2');
    expect(nameOf(varying(1))).toBe('frequent 1');
    expect(nameOf(varying(3))).toBe('');
  });

  it('is given to few texts, because each connection stores the plan of each name', () => {
    const nameOf = createStatementNames();
    const names = new Set(Array.from({ length: 100 }, (_, number) => nameOfFrequent(nameOf, varying(number))));
    expect(names.size).toBe(25);
    expect(names).toContain('');
  });
});
