import type { SellingShopQuery } from '../generated/selling.ts';
import { words } from '../shared/words.ts';
import { rateText } from './tax.tsx';

/** Says that the buyer pays a processing fee beside the amount; empty if there is none. */
export function feeText({ shopConfig, siteConfig }: SellingShopQuery): string {
  const percent = shopConfig.processingFeePct + siteConfig.processingFeePct;
  return percent > 0 ? words.selling.withFee(rateText(percent / 100)) : '';
}
