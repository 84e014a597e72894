import type { Chain } from '../../src/chain/client.ts';
import type { Token } from '../../src/chain/token.ts';
import { watchlistOf } from '../../src/chain/transfers.ts';
import { Refusal, refuse } from '../../src/core/errors.ts';
import { sameForAll } from '../../src/core/finality.ts';
import type { Wallet } from '../../src/core/wallet.ts';
import { assignTransfer } from '../../src/payments/assign.ts';
import { confirmTransfers } from '../../src/payments/confirm.ts';
import { judgeAttempt } from '../../src/payments/core/intent.ts';
import { moveByChain } from '../../src/payments/credit.ts';
import { DUST_NOTE } from '../../src/payments/dust-note.ts';
import { markUnmatched } from '../../src/payments/mark-unmatched.ts';
import { recordTransfer, rematchTransfer } from '../../src/payments/match.ts';
import { revertTransfer } from '../../src/payments/reorg.ts';
import { submitTransactionWithin } from '../../src/payments/submit.ts';
import { setTerms } from '../../src/payments/test/terms.ts';
import { randomWallet, type World } from '../../src/payments/test/world.ts';
import type { TransferRow } from '../../src/payments/transfer-row.ts';
import { selectTransfers } from '../../src/payments/transfers.ts';
import { inTransaction } from '../../src/platform/unit-of-work.ts';
import { expireReceipts, voidReceipt } from '../../src/receipts/end.ts';
import { isWaiting, RECEIPT } from '../../src/receipts/lifecycle.ts';
import { readEnded } from '../../src/receipts/read-ended.ts';
import { lockReceiptOrRefuse, recordChange } from '../../src/receipts/record-change.ts';
import { Split } from '../../src/splits/split.entity.ts';
import { textOf } from './core-state.ts';
import type {
  Clock,
  Key,
  NewHint,
  NewQuote,
  NewReceipt,
  Payments,
  ReceiptView,
  Recorded,
  SeenTransfer,
  Terms,
  TransferView,
  View,
} from './payments.ts';

const UNIQUE_VIOLATION = '23505';
const LOST_NOTES = ['payment_lost', 'payment_back', DUST_NOTE, ...RECEIPT.statuses.map((status) => `${status}_again`)];

/** Answers null where the product refuses. */
const orRefused = (error: unknown): null => {
  if (error instanceof Refusal && error.code !== 'datastore_unavailable') return null;
  throw error;
};

/** Carries payments out by the product, on PostgreSQL. Each life has a chain and a merchant of its own. */
export class StoredPayments implements Payments {
  readonly #world: World;
  readonly #deps: World['deps'];
  readonly #merchant = randomWallet();
  readonly #payTo = randomWallet();
  readonly #clock: Clock;
  readonly #terms: Terms;

  constructor(world: World, terms: Terms, clock: Clock, chainId: number) {
    const { depth, coinRate } = terms;
    const coin: Token = { symbol: 'COIN', address: randomWallet(), decimals: 6 };
    const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
    const chain: Chain = {
      ...world.chain,
      chainId,
      tokens: [usdc, coin],
      confirmations: depth,
      finality: sameForAll(depth),
    };
    this.#world = world;
    this.#terms = terms;
    this.#clock = clock;
    this.#deps = {
      ...world.deps,
      // Hints of a life stay open for ever: no worker follows them, so they hold no receipt.
      moneyOnItsWay: async (...asked) =>
        (await world.deps.moneyOnItsWay(...asked)).filter(({ kind }) => kind !== 'transaction'),
      ...{ chain, chains: [chain], clock: () => clock.now },
      watched: {
        ...watchlistOf(new Set([this.#payTo])),
        refresh: async () => {},
        placeOf: async () => ({
          ...{ merchant: this.#merchant, addressOf: null, split: null, splitCreatedBlock: 0, verified: true },
        }),
      },
      readRate: async (_symbol, atMs = clock.now) => {
        const rate = coinRate(atMs);
        if (rate === null) throw refuse('exchange_rate_unavailable');
        return textOf(rate);
      },
    };
  }

  async addReceipt({ id, createdBlock, createdAt, totalCents, expiresAt }: NewReceipt): Promise<void> {
    if (id === 'R-0') await this.#register(createdAt);
    const more = { createdBlock, createdChainId: this.#deps.chain.chainId, createdAt, updatedAt: createdAt, expiresAt };
    await this.#world.receipt(this.#merchant, totalCents, { ...more, id });
  }

  async #register(createdAt: number): Promise<void> {
    const merchant = this.#merchant;
    await setTerms(this.#world, merchant, this.#terms);
    const split = { merchant, id: 'split', chainId: this.#deps.chain.chainId, address: this.#payTo, createdAt };
    const recipients = [{ address: merchant, sharesBps: 10_000 }];
    const state = { salt: null, initCode: null, verified: true, deployed: true, createdBlock: 0 };
    await this.#deps.orm.em.fork().insert(Split, { ...split, ...state, recipients });
  }

  async addQuote({ id, receiptId, token, amount, due, rate, earlier, createdAt, expiresAt }: NewQuote): Promise<void> {
    const merchant = this.#merchant;
    const place = { chainId: this.#deps.chain.chainId, payTo: this.#payTo, token, amount: String(amount) };
    await inTransaction(this.#deps, async (uow) => {
      await uow.db
        .deleteFrom('Quote')
        .where((eb) => eb.and(place))
        .execute();
      const values = {
        ...place,
        merchant,
        id,
        receiptId,
        usd: textOf(due, 12),
        usdPerUnit: textOf(rate),
        createdAt,
        expiresAt,
      };
      await uow.db
        .insertInto('Quote')
        .values({ ...values, reservedUntil: null, seenAt: createdAt, earlier: [...earlier] })
        .execute();
      const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
      const change = { kind: 'status', to: 'pending' } as const;
      if (receipt.status === 'generated') await recordChange(this.#deps, uow, receipt, change, { actor: 'buyer' });
    });
  }

  async record({ amount, sender, token, blockNumber, ...place }: SeenTransfer): Promise<Recorded> {
    const { tokens } = this.#deps.chain;
    const tokenAddress = tokens.find(({ symbol }) => symbol === token)!.address;
    const moved = { tokenAddress, symbol: token, from: sender, to: this.#payTo, value: amount };
    try {
      const isNew = await recordTransfer(this.#deps, { ...place, ...moved, blockNumber: BigInt(blockNumber) });
      return isNew ? 'stored' : 'known';
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return 'conflict';
      throw error;
    }
  }

  async hint({ receiptId, transactionHash, vouched, vouchedAmount, signedBy }: NewHint): Promise<void> {
    const backing = {
      ...(vouched && { vouched: { by: 'onramp:stripe', amount: vouchedAmount } }),
      ...(signedBy !== null && { signedBy }),
    };
    await inTransaction(this.#deps, (uow) =>
      submitTransactionWithin(this.#deps, uow, { merchant: this.#merchant, receiptId, transactionHash, ...backing }),
    );
  }

  async followHint(transactionHash: `0x${string}`): Promise<void> {
    const open = await this.#transfers((one) => one.transactionHash === transactionHash && one.receiptId === null);
    for (const transfer of open.sort((a, b) => a.logIndex - b.logIndex))
      if (['unknown_amount', 'ambiguous'].includes(transfer.unmatchedReason ?? ''))
        await rematchTransfer(this.#deps, transfer);
  }

  async confirm(upTo: number, head: number): Promise<void> {
    await confirmTransfers(this.#deps, { chainId: this.#deps.chain.chainId, confirmed: upTo }, head);
  }

  async revert({ blockHash, transactionHash, logIndex }: Key): Promise<void> {
    const [transfer] = await this.#transfers(
      (one) => one.blockHash === blockHash && one.transactionHash === transactionHash && one.logIndex === logIndex,
    );
    if (transfer) await revertTransfer(this.#deps, transfer);
  }

  async expire(): Promise<void> {
    await expireReceipts(this.#deps);
  }

  async void(receiptId: string): Promise<void> {
    await voidReceipt(this.#deps, this.#merchant, receiptId, 'admin').catch(orRefused);
  }

  async fail(receiptId: string): Promise<void> {
    await inTransaction(this.#deps, async (uow) => {
      const receipt = await lockReceiptOrRefuse(uow, this.#merchant, receiptId);
      const mine = { merchant: this.#merchant, receiptId };
      const quotes = await uow.db
        .selectFrom('Quote')
        .select(['token', 'payTo'])
        .where((eb) => eb.and(mine))
        .limit(1)
        .execute();
      const { tokens } = this.#deps.chain;
      const contract = tokens.find(({ symbol }) => symbol === quotes[0]?.token)?.address;
      if (contract === undefined || !isWaiting(receipt) || (await readEnded(uow, receipt, this.#clock.now))) return;
      const intent = { contract, to: this.#payTo, value: 1n };
      const decision = judgeAttempt({ receipt, outcome: 'reverted', intent, quotes, tokens });
      if (decision?.to === 'failed') await moveByChain(this.#deps, uow, receipt, 'failed', {}, decision.failureCode);
    });
  }

  async complete(receiptId: string): Promise<void> {
    await inTransaction(this.#deps, async (uow) => {
      const receipt = await lockReceiptOrRefuse(uow, this.#merchant, receiptId);
      const change = { kind: 'status', to: 'completed' } as const;
      if (receipt.status === 'paid') await recordChange(this.#deps, uow, receipt, change, { actor: 'settlement' });
    });
  }

  async assign({ transactionHash, logIndex }: Key, receiptId: string): Promise<void> {
    const name = { merchant: this.#merchant, transactionHash, logIndex, receiptId, by: this.#merchant };
    await assignTransfer(this.#deps, name).catch(orRefused);
  }

  async mark({ transactionHash, logIndex }: Key, marked: boolean): Promise<void> {
    const name = { merchant: this.#merchant, transactionHash, logIndex, marked, by: this.#merchant };
    await markUnmatched(this.#deps, name).catch(orRefused);
  }

  async view(): Promise<View> {
    const em = this.#deps.orm.em.fork();
    const receipts = await em.execute<ReceiptView[]>(
      `select r.id, r.status, array(select coalesce(h.name, h.status) from receipt_history h
         where h.merchant = r.merchant and h.receipt_id = r.id and (h.kind = 'status' or h.name in (${LOST_NOTES.map(() => '?')})) order by h.seq) as history
         from receipts r where r.merchant = ? order by r.id`,
      [...LOST_NOTES, this.#merchant],
    );
    const transfers = await em.execute<TransferView[]>(
      `select block_hash as "blockHash", transaction_hash as "transactionHash", log_index as "logIndex",
              canonical as "isCanonical", confirmed_at is not null as "isConfirmed", receipt_id as "receiptId",
              quote_id as "quoteId", unmatched_reason as reason, coalesce(meant_for, '{}') as "meantFor",
              refund_marked_at is not null as "isMarked"
         from transfers where merchant = ?`,
      [this.#merchant],
    );
    return { receipts: receipts.map((one) => ({ ...one, history: ['generated', ...one.history] })), transfers };
  }

  /** Removes what a later life could see: the timer ends the receipts of all merchants. */
  async end(): Promise<void> {
    await this.#deps.orm.em.fork().execute('delete from receipts where merchant = ?', [this.#merchant]);
  }

  async #transfers(isWanted: (one: TransferRow) => boolean): Promise<TransferRow[]> {
    const merchant: Wallet = this.#merchant;
    const all = await inTransaction(this.#deps, ({ db }) =>
      selectTransfers(db).where('merchant', '=', merchant).execute(),
    );
    return all.filter(isWanted);
  }
}
