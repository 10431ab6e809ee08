import type { FaultKind } from './fault-kind.js';
import { networkFaults } from './network-faults.js';
import { processFaults } from './process-faults.js';
import { serviceFaults } from './service-faults.js';

export const faultKinds: readonly FaultKind[] = [...processFaults, ...serviceFaults, ...networkFaults];
