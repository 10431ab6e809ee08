import type { FaultKind } from './fault.js';
import { linkFaults } from './link-faults.js';
import { processFaults } from './process-faults.js';
import { serviceFaults } from './service-faults.js';

export const faultKinds: readonly FaultKind[] = [...processFaults, ...serviceFaults, ...linkFaults];
