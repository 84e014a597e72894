import { z } from 'zod';
import { text } from '../../../base/core/text.ts';

/** Why a merchant returns money, each with its meaning. */
export const REFUND_REASONS = {
  returned: 'The buyer returned the goods.',
  not_delivered: 'The goods were not delivered, or the service was not given.',
  duplicate: 'The buyer paid twice.',
  overpaid: 'The buyer paid too much.',
  goodwill: 'The merchant returns it without an obligation.',
  other: 'Another reason.',
} as const;

export type RefundReason = keyof typeof REFUND_REASONS;

const NAMES = Object.keys(REFUND_REASONS) as [RefundReason, ...RefundReason[]];

/** The most characters of a note. */
export const MAX_NOTE = 500;

/** Why a refund is made, and a note on it; null for none. */
export interface RefundExplanation {
  readonly reason: RefundReason | null;
  readonly note: string | null;
}

export const isReason = (text: string): text is RefundReason => Object.hasOwn(REFUND_REASONS, text);

export const reasonInput = z.enum(NAMES, { error: `must be one of ${NAMES.join(', ')}` });

/** Spaces around a note are no part of it, and an empty one is none. */
export const noteInput = text(MAX_NOTE).transform((note) => note.trim() || undefined);
