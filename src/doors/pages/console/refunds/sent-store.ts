import type { SentRefund } from './send-refunds.ts';

const NAME = 'console.refunds-sent';

/**
 * Refunds that were sent and are not proven yet. They outlive the tab, because the money has left the wallet. Kept by
 * merchant: another merchant of this browser does not see them.
 */
export interface SentStore {
  all(): readonly SentRefund[];
  add(refund: SentRefund): void;
  remove(refund: SentRefund): void;
}

/** The sent refunds of a merchant. */
export function sentStore(merchant: string): SentStore {
  const key = `${NAME}.${merchant}`;
  const all = (): SentRefund[] => JSON.parse(localStorage.getItem(key) ?? '[]') as SentRefund[];
  const write = (refunds: readonly SentRefund[]) => {
    if (refunds.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(refunds));
  };
  const isSame = (one: SentRefund, other: SentRefund) =>
    one.txHash === other.txHash &&
    one.receiptId === other.receiptId &&
    one.buyer === other.buyer &&
    one.token === other.token;
  return {
    all,
    add: (refund) => write([...all().filter((one) => !isSame(one, refund)), refund]),
    remove: (refund) => write(all().filter((one) => !isSame(one, refund))),
  };
}
