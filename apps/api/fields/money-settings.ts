import { z } from 'zod';
import { MOST_DECIMALS } from '#core/money.js';

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const currency = z
  .string()
  .refine((code) => CODES.has(code), 'must be an alphabetic code of ISO 4217, like EUR')
  .meta({
    description:
      'The currency of all amounts, as a label: an alphabetic code of ISO 4217. Null or absent: it was not set.',
    pattern: '^[A-Z]{3}$',
    examples: ['EUR'],
  });

export const decimals = z
  .int()
  .min(0)
  .max(MOST_DECIMALS)
  .meta({
    description:
      'How many decimals amounts may have. Winnings are rounded down to them. Null or absent: it was not set; then amounts have up to 6, and winnings are rounded to the nearest millionth.',
    examples: [2],
  });
