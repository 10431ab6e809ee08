import * as fields from '#http/fields.js';

const MAX_LENGTH = 40;

export const secondFactorCode = fields.line(MAX_LENGTH).meta({
  description:
    'Of the second factor: 6 digits of the app, or a recovery code. Each works once. Spaces, dashes and case do not count.',
  examples: ['287082'],
});
