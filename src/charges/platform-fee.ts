import { applyRate } from '../core/money.ts';

/** The platform's fee rate for charges. The fee is paid out of the split; the customer pays only the plan's price. */
const PLATFORM_FEE_RATE = '0.005';

/** 0.5% of a price, in cents, rounded half up. */
export const chargeFeeCents = (priceCents: number): number => applyRate(priceCents, PLATFORM_FEE_RATE);
