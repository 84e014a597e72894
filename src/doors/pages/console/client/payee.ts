import { words } from '../shared/words.ts';

interface Paid {
  readonly recipient: string;
  /** Whether it is the operator of the server. */
  readonly platform: boolean;
}

/** The name of who gets a share: the shop or the operator; null for others. */
export const payeeName = ({ recipient, platform }: Paid, merchant: string | null): string | null =>
  recipient === merchant ? words.receipt.you : platform ? words.start.platform : null;
