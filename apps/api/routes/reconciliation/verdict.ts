import { z } from 'zod';
import { type AuditVerdict, auditedBy } from '#reads/last-audit.js';
import { count, moment } from '../../fields/answers.js';

export const verdictExample = {
  verdict: 'balanced',
  failed_checks: 0,
  audited_at: '2026-01-16T03:00:12.000Z',
  audited_by: 'night',
};

export const auditVerdict = z
  .strictObject({
    verdict: z.enum(['balanced', 'differs']).meta({ description: 'Whether all checks found the books right.' }),
    failed_checks: count('How many checks found a difference.'),
    audited_at: moment('When the audit looked.'),
    audited_by: z.enum(auditedBy).meta({ description: 'The audit of the night, or `npm run audit`.' }),
  })
  .meta({ id: 'AuditVerdict', examples: [verdictExample] });

export const presentVerdict = ({
  failedChecks,
  auditedAt,
  auditedBy: by,
}: AuditVerdict): z.output<typeof auditVerdict> => ({
  verdict: failedChecks === 0 ? 'balanced' : 'differs',
  failed_checks: failedChecks,
  audited_at: auditedAt,
  audited_by: by,
});
