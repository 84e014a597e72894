import type { Chain } from '../../src/base/chain/client.ts';
import type { Token } from '../../src/base/chain/token.ts';
import { Refusal, refuse } from '../../src/base/core/errors.ts';
import { sameForAll } from '../../src/base/core/finality.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { queryBuilderOf } from '../../src/base/platform/postgres/database.ts';
import { recordTransfer, rematchTransfer } from '../../src/domain/payments/matching/match.ts';
import { submitTransactionWithin } from '../../src/domain/payments/matching/submit.ts';
import { setTerms } from '../../src/domain/payments/test/terms.ts';
import { randomWallet, type World } from '../../src/domain/payments/test/world.ts';
import { acceptPayment } from '../../src/domain/payments/transfers/accept-payment.ts';
import { judgeAttempt } from '../../src/domain/payments/transfers/core/intent.ts';
import type { TransferRow } from '../../src/domain/payments/transfers/core/transfer-row.ts';
import { computeBalance } from '../../src/domain/payments/transfers/core/weigh.ts';
import { DUST_NOTE, moveByChain } from '../../src/domain/payments/transfers/credit.ts';
import { readCredits, selectTransfers } from '../../src/domain/payments/transfers/transfers.ts';
import { watchAddresses } from '../../src/domain/payments/transfers/watched.ts';
import { assignTransfer } from '../../src/domain/payments/unmatched/assign.ts';
import { markUnmatched } from '../../src/domain/payments/unmatched/mark-unmatched.ts';
import { confirmTransfers } from '../../src/domain/payments/watching/confirm.ts';
import { revertTransfer } from '../../src/domain/payments/watching/reorg.ts';
import { ACCEPTED_NOTE } from '../../src/domain/sales/receipts/accepted-note.ts';
import { ReceiptAddressSchema } from '../../src/domain/sales/receipts/address.entity.ts';
import { addressesOf, newAddress } from '../../src/domain/sales/receipts/addresses.ts';
import { expireReceipts, voidReceipt } from '../../src/domain/sales/receipts/end.ts';
import { isWaiting, RECEIPT } from '../../src/domain/sales/receipts/lifecycle.ts';
import { readEnded } from '../../src/domain/sales/receipts/read-ended.ts';
import { RECEIPT_COLUMNS, type Receipt, ReceiptSchema } from '../../src/domain/sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from '../../src/domain/sales/receipts/record-change.ts';
import { SplitSchema } from '../../src/domain/shop/splits/split.entity.ts';
import {
  CHAIN_IDS,
  type Clock,
  type Failure,
  type Key,
  type NewAddress,
  type NewHint,
  type NewQuote,
  type NewReceipt,
  type Party,
  type Payments,
  type ReceiptView,
  type Recorded,
  type SeenTransfer,
  SPLITS,
  sameKey,
  type Terms,
  type TransferView,
  textOf,
  type View,
} from './payments.ts';

const UNIQUE_VIOLATION = '23505';
const MONEY_NOTES = ['payment_lost', 'payment_back', DUST_NOTE, ACCEPTED_NOTE];
const NOTES = [...MONEY_NOTES, ...RECEIPT.statuses.map((status) => `${status}_again`)];

/** Answers null where the product refuses. */
const orRefused = (error: unknown): null => {
  if (error instanceof Refusal && error.code !== 'datastore_unavailable') return null;
  throw error;
};

/** Carries payments out by the product, on PostgreSQL. Each life has chains and a merchant of its own. */
export class StoredPayments implements Payments {
  readonly #world: World;
  /** What the product works with on each chain, in the order of `CHAIN_IDS`. */
  readonly #all: readonly World['deps'][];
  readonly #merchant = randomWallet();
  readonly #clock: Clock;
  readonly #terms: Terms;
  readonly #wallets = new Map<Party, Wallet>();
  readonly #parties = new Map<Wallet, Party>();

  /** @param firstChainId the id of the first chain; the second one has the next id */
  constructor(world: World, terms: Terms, clock: Clock, firstChainId: number) {
    this.#world = world;
    this.#terms = terms;
    this.#clock = clock;
    const coin: Token = { symbol: 'COIN', address: randomWallet(), decimals: 6 };
    const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
    const { depth, coinRate } = terms;
    const own = { tokens: [usdc, coin], confirmations: depth, finality: sameForAll(depth) };
    const chains = CHAIN_IDS.map((_, i): Chain => ({ ...world.chain, ...own, chainId: firstChainId + i }));
    this.#all = chains.map((chain) => ({
      ...world.deps,
      // Hints of a life stay open for ever: no worker follows them, so they hold no receipt.
      moneyOnItsWay: async (...asked) =>
        (await world.deps.moneyOnItsWay(...asked)).filter(({ kind }) => kind !== 'transaction'),
      ...{ chain, chains, clock: () => clock.now, watched: watchAddresses({ ...world.deps, chain }) },
      readRate: async (_symbol, atMs = clock.now) => {
        const rate = coinRate(atMs);
        if (rate === null) throw refuse('exchange_rate_unavailable');
        return textOf(rate);
      },
    }));
  }

  get #deps(): World['deps'] {
    return this.#all[0]!;
  }

  #on(chainId: number): World['deps'] {
    return this.#all[CHAIN_IDS.indexOf(chainId)]!;
  }

  /** The id in the simulation. */
  #idOf(storedId: number): number {
    return CHAIN_IDS[this.#all.findIndex(({ chain }) => chain.chainId === storedId)]!;
  }

  #wallet(party: Party): Wallet {
    if (!this.#wallets.has(party)) this.#name(party, randomWallet());
    return this.#wallets.get(party)!;
  }

  #name(party: Party, wallet: Wallet): void {
    this.#wallets.set(party, wallet);
    this.#parties.set(wallet, party);
  }

  async addReceipt({ id, createdHeads, createdAt, totalCents, expiresAt }: NewReceipt): Promise<void> {
    if (id === 'R-0') await this.#register(createdAt);
    const [first, second] = this.#all.map(({ chain }) => chain.chainId) as [number, number];
    const heads = {
      createdBlock: createdHeads[1]!,
      createdChainId: first,
      createdHeads: { [second]: createdHeads[2]! },
    };
    const more = { ...heads, createdAt, updatedAt: createdAt, expiresAt };
    await this.#world.receipt(this.#merchant, totalCents, { ...more, id });
  }

  async #register(createdAt: number): Promise<void> {
    const merchant = this.#merchant;
    const { chosen, lateHours, toleranceBps, toleranceCents } = this.#terms;
    const paymentTokens =
      chosen?.map(({ chainId, token }) => ({ chainId: this.#on(chainId).chain.chainId, token })) ?? null;
    await setTerms(this.#world, merchant, { lateHours, toleranceBps, toleranceCents, paymentTokens });
    const recipients = [{ address: merchant, sharesBps: 10_000 }];
    const state = { salt: null, initCode: null, verified: true, deployed: true, createdBlock: 0, createdAt };
    for (const [i, split] of SPLITS.entries())
      for (const { chain, watched } of this.#all) {
        const id = `${split} on ${chain.chainId}`;
        const place = { merchant, id, chainId: chain.chainId, address: this.#wallet(split) };
        const replacedAt = i === 0 ? createdAt : null;
        await this.#deps.db.orm.em.fork().insert(SplitSchema, { ...place, ...state, recipients, replacedAt });
        await watched.refresh();
      }
  }

  async addAddress({ address, receiptId, number, split }: NewAddress): Promise<void> {
    const em = this.#deps.db.orm.em.fork();
    const { createdAt } = await em.findOneOrFail(ReceiptSchema, { merchant: this.#merchant, id: receiptId });
    const owner = { merchant: this.#merchant, id: receiptId, createdAt };
    const made = newAddress(owner, { split: this.#wallet(split), onlyChainId: null }, number);
    await em.insert(ReceiptAddressSchema, { ...made, merchant: this.#merchant, receiptId, createdAt });
    this.#name(address, made.address);
  }

  async addQuote({ receiptId, chainId, payTo, token, amount, due, rate, earlier, ...quote }: NewQuote): Promise<void> {
    const merchant = this.#merchant;
    const deps = this.#on(chainId);
    const place = { chainId: deps.chain.chainId, payTo: this.#wallet(payTo), token, amount: String(amount) };
    await deps.db.transaction(async (uow) => {
      await uow.db
        .deleteFrom('Quote')
        .where((eb) => eb.and(place))
        .execute();
      const worth = { usd: textOf(due, 12), usdPerUnit: textOf(rate), reservedUntil: null, seenAt: quote.createdAt };
      await uow.db
        .insertInto('Quote')
        .values({ ...place, ...quote, ...worth, merchant, receiptId, earlier: [...earlier] })
        .execute();
      const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
      const change = { kind: 'status', to: 'pending' } as const;
      if (receipt.status === 'generated') await recordChange(deps, uow, receipt, change, { actor: 'buyer' });
    });
  }

  async record({ chainId, amount, from, to, token: symbol, blockNumber, ...place }: SeenTransfer): Promise<Recorded> {
    const deps = this.#on(chainId);
    const tokenAddress = deps.chain.tokens.find((one) => one.symbol === symbol)!.address;
    const moved = { tokenAddress, symbol, from: this.#wallet(from), to: this.#wallet(to), value: amount };
    try {
      const isNew = await recordTransfer(deps, { ...place, ...moved, blockNumber: BigInt(blockNumber) });
      return isNew ? 'stored' : 'known';
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return 'conflict';
      throw error;
    }
  }

  async hint({ receiptId, chainId, transactionHash, vouched, signedBy }: NewHint): Promise<void> {
    const backing = {
      ...(vouched && { vouchedBy: 'onramp:stripe' }),
      ...(signedBy !== null && { signedBy: this.#wallet(signedBy) }),
    };
    const deps = this.#on(chainId);
    await deps.db.transaction((uow) =>
      submitTransactionWithin(deps, uow, { merchant: this.#merchant, receiptId, transactionHash, ...backing }),
    );
  }

  async followHint({ chainId, transactionHash }: Pick<NewHint, 'chainId' | 'transactionHash'>): Promise<void> {
    const deps = this.#on(chainId);
    const open = await this.#transfers(
      (one) => one.chainId === deps.chain.chainId && one.transactionHash === transactionHash,
    );
    for (const transfer of open.sort((a, b) => a.logIndex - b.logIndex))
      if (transfer.unmatchedReason === 'unknown_amount') await rematchTransfer(deps, transfer);
  }

  async confirm(chainId: number, upTo: number, head: number): Promise<void> {
    const deps = this.#on(chainId);
    await confirmTransfers(deps, { chainId: deps.chain.chainId, confirmed: upTo }, head);
  }

  async revert(key: Key): Promise<void> {
    const deps = this.#on(key.chainId);
    const [transfer] = await this.#transfers((one) => sameKey(one, { ...key, chainId: deps.chain.chainId }));
    if (transfer) await revertTransfer(deps, transfer);
  }

  async expire(): Promise<void> {
    await expireReceipts(this.#deps);
  }

  async void(receiptId: string): Promise<void> {
    await voidReceipt(this.#deps, this.#merchant, receiptId, 'admin').catch(orRefused);
  }

  async fail(receiptId: string, failure: Failure): Promise<void> {
    await this.#deps.db.transaction(async (uow) => {
      const receipt = await lockReceiptOrRefuse(uow, this.#merchant, receiptId);
      if (!isWaiting(receipt) || (await readEnded(uow, receipt, this.#clock.now))) return;
      const addresses = (await addressesOf(uow, receipt)).map(({ address }) => address);
      const { tokens } = this.#deps.chain;
      const isReverted = failure === 'reverted';
      const contract = isReverted ? tokens[0]!.address : this.#merchant;
      const intent = { contract, to: addresses.at(-1)!, value: 1n };
      const outcome = isReverted ? 'reverted' : 'success';
      const decision = judgeAttempt({ receipt, outcome, intent, addresses, tokens });
      const code = decision?.to === 'failed' ? decision.failureCode : null;
      if (decision) await moveByChain(this.#deps, uow, receipt, decision.to, {}, { failureCode: code });
    });
  }

  async complete(receiptId: string): Promise<void> {
    await this.#deps.db.transaction(async (uow) => {
      const receipt = await lockReceiptOrRefuse(uow, this.#merchant, receiptId);
      const change = { kind: 'status', to: 'completed' } as const;
      if (receipt.status === 'paid') await recordChange(this.#deps, uow, receipt, change, { actor: 'settlement' });
    });
  }

  async accept(receiptId: string): Promise<void> {
    await acceptPayment(this.#deps, this.#merchant, receiptId, 'wallet:admin').catch(orRefused);
  }

  async assign({ chainId, transactionHash, logIndex }: Key, receiptId: string): Promise<void> {
    const name = { merchant: this.#merchant, chainId: this.#on(chainId).chain.chainId, transactionHash, logIndex };
    await assignTransfer(this.#deps, { ...name, receiptId, by: this.#merchant }).catch(orRefused);
  }

  async mark({ chainId, transactionHash, logIndex }: Key, marked: boolean): Promise<void> {
    const name = { merchant: this.#merchant, chainId: this.#on(chainId).chain.chainId, transactionHash, logIndex };
    await markUnmatched(this.#deps, { ...name, marked, by: this.#merchant }).catch(orRefused);
  }

  async view(): Promise<View> {
    const em = this.#deps.db.orm.em.fork();
    const transfers = await em.execute<(TransferView & { chainId: string })[]>(
      `select chain_id as "chainId", block_hash as "blockHash", transaction_hash as "transactionHash",
              log_index as "logIndex", canonical as "isCanonical", confirmed_at is not null as "isConfirmed",
              case when canonical then collected end as "isCollected", receipt_id as "receiptId",
              unmatched_reason as reason, coalesce(meant_for, '{}') as "meantFor",
              refund_marked_at is not null as "isMarked"
         from transfers where merchant = ?`,
      [this.#merchant],
    );
    const receipts = await queryBuilderOf(em)
      .selectFrom('Receipt')
      .select(RECEIPT_COLUMNS)
      .where('merchant', '=', this.#merchant)
      .orderBy('id')
      .execute();
    return {
      receipts: await Promise.all(receipts.map((one) => this.#viewOf(one))),
      transfers: transfers.map((one) => ({ ...one, chainId: this.#idOf(Number(one.chainId)) })),
    };
  }

  async #viewOf(receipt: Receipt): Promise<ReceiptView> {
    const { merchant, id, status, transactionHash, buyerWallet, paymentChainId } = receipt;
    const rows = await this.#deps.db.orm.em.fork().execute<{ name: string }[]>(
      `select coalesce(name, status) as name from receipt_history where merchant = ? and receipt_id = ?
        and (kind = 'status' or name in (${NOTES.map(() => '?')})) order by seq`,
      [merchant, id, ...NOTES],
    );
    const credits = await this.#deps.db.transaction((uow) => readCredits(uow, receipt));
    const { missingUsd: missing, surplusUsd: surplus } = computeBalance(receipt, credits);
    return {
      ...{ id, status, history: ['generated', ...rows.map(({ name }) => name)], missing, surplus },
      buyer: buyerWallet ? this.#parties.get(buyerWallet)! : null,
      hash: transactionHash ?? null,
      chainId: paymentChainId ? this.#idOf(paymentChainId) : null,
    };
  }

  /** Removes what a later life could see: the timer ends the receipts of all merchants. */
  async end(): Promise<void> {
    await this.#deps.db.orm.em.fork().execute('delete from receipts where merchant = ?', [this.#merchant]);
  }

  async #transfers(isWanted: (one: TransferRow) => boolean): Promise<TransferRow[]> {
    const all = await this.#deps.db.transaction(({ db }) =>
      selectTransfers(db).where('merchant', '=', this.#merchant).execute(),
    );
    return all.filter(isWanted);
  }
}
