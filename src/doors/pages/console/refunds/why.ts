import type { RefundReason } from '../generated/refunds.ts';
import { words } from '../shared/words.ts';

/** Why a refund was made, and the note on it, as one text; empty if neither was said. */
export const whyText = ({ reason, note }: { readonly reason: RefundReason | null; readonly note: string | null }) =>
  [reason && words.refund.reasons[reason], note].filter(Boolean).join(' · ');
