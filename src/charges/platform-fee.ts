import { applyRate } from '../core/money.ts';

/** The platform's part of every charge. It is taken out of the split: the customer pays the plan's price and no more. */
const PLATFORM_FEE_RATE = '0.005';

/** 0.5% of a price, in cents, rounded half up. */
export const chargeFeeCents = (priceCents: number): number => applyRate(priceCents, PLATFORM_FEE_RATE);
