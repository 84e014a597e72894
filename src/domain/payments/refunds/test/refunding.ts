import { expect } from 'vitest';
import type { Session } from '../../../../base/core/caller.ts';
import { parseInput } from '../../../../base/core/input.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { repeatableOf } from '../../../../base/platform/idempotency.ts';
import { submitTransaction } from '../../matching/submit.ts';
import { followHints } from '../../matching/transaction-hints.ts';
import { quotePayment } from '../../paying/quote-payment.ts';
import { deployAll } from '../../test/deploy-all.ts';
import { claimOf } from '../../test/quoted.ts';
import { randomWallet, type World } from '../../test/world.ts';
import { readRefundsOf } from '../read.ts';
import { refundInput } from '../refund.input.ts';
import { refundReceipt } from '../refund-receipt.ts';

/** A signed-in admin session of a merchant. */
const admin = (merchant: Wallet): Session => ({
  kind: 'session',
  sessionId: 's',
  wallet: merchant,
  merchant,
  role: 'owner',
  confirmedAt: Number.MAX_SAFE_INTEGER,
  platformAdmin: false,
  csrfProven: true,
});

/** A receipt to refund, and the buyer who gets the money. */
export interface Paid {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly buyer: Wallet;
}

/** Matches a refusal with its code and the field that it names. */
export const refused = (code: string, field?: string) => ({
  code,
  ...(field ? { extra: expect.objectContaining({ field }) } : {}),
});

/** Shared steps of refund tests. */
export function refunding(worldOf: () => World) {
  /** Mines the confirmations of pending payments. */
  async function confirm() {
    const world = worldOf();
    const { cursor } = await world.look();
    await followHints(world.deps, cursor);
    await world.mine(3);
    await world.look();
    await world.look();
  }

  /** Sends tokens to the buyer from any wallet; returns the hash. Its block is the newest. */
  const sendShallow = (buyer: Wallet, amount: bigint, token = 'USDC') =>
    worldOf().pay({ token, payTo: buyer, amount: String(amount) });

  return {
    confirm,
    sendShallow,
    /** Like `sendShallow`, with confirmations. */
    async send(...sent: Parameters<typeof sendShallow>): Promise<`0x${string}`> {
      const hash = await sendShallow(...sent);
      await worldOf().mine(2);
      return hash;
    },
    /** A paid receipt with confirmations, of a new merchant or the given one. */
    async paid(
      totalCents: number,
      token = 'USDC',
      more = 0n,
      of?: { readonly merchant: Wallet; readonly split: Wallet },
    ) {
      const world = worldOf();
      const { wallet: merchant, split } = of ? { wallet: of.merchant, split: of.split } : await world.merchant();
      if (token === 'ETH') await deployAll(world);
      const receiptId = await world.receipt(merchant, totalCents);
      const quote = await quotePayment(world.deps, { merchant, receiptId, token });
      const hash = await world.pay(quote, more);
      if (more !== 0n) {
        const claim = await claimOf(world, { merchant, receiptId }, hash);
        await submitTransaction(world.deps, { merchant, receiptId, transactionHash: hash, claim });
      }
      await confirm();
      return { merchant, split, receiptId, quote, hash, buyer: randomWallet() };
    },
    refund: async (
      { merchant, receiptId, buyer }: Paid,
      usd: number,
      more: object = {},
      deps: World['deps'] = worldOf().deps,
      key?: string,
    ) => {
      const body = { receiptId, wallet: merchant, buyer, usd, ...more };
      const repeatable = repeatableOf(key, body);
      return refundReceipt(deps, admin(merchant), parseInput(refundInput, body), repeatable);
    },
    /** The refunds of a receipt: state, cents, proven cents. */
    async refundsOf({ merchant, receiptId }: Paid) {
      const [refunds] = await readRefundsOf(worldOf().deps.db, merchant, [receiptId]);
      return refunds!.map((row) => [row.state, row.usdCents, row.provenCents]);
    },
  };
}
