import { isAboutWager } from '../ledger/following.js';
import { Preview } from '../ledger/preview.js';
import type { Outcome } from '../ledger/tags.js';
import { type PreviewedOperation, usePreview } from '../ledger/use-preview.js';

export interface PayoutPreviewProps {
  readonly reference: string;
  readonly operation: PreviewedOperation;
  /** The present outcome of the wager. */
  readonly outcome: Outcome;
}

/** What a result would move, on the page of its wager. */
export function PayoutPreview({ reference, operation, outcome }: PayoutPreviewProps) {
  const preview = usePreview({ operation, changedBy: isAboutWager(reference) });
  return <Preview of={preview} outcome={outcome} />;
}
