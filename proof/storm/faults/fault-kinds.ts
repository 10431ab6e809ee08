import type { FaultKind } from './fault-kind.js';
import { networkFaults } from './network-faults.js';
import { processFaults } from './process-faults.js';
import { serviceFaults, takeOverFaults } from './service-faults.js';
import { webhookFaults } from './webhook-faults.js';

export const faultKinds: readonly FaultKind[] = [
  ...processFaults,
  ...serviceFaults,
  ...networkFaults,
  ...webhookFaults,
];

/** Of a storm whose PostgreSQL has a standby. */
export const faultKindsWithStandby: readonly FaultKind[] = [...faultKinds, ...takeOverFaults];
