import { RECEIPT, type ReceiptStatus } from '../../src/domain/sales/receipts/lifecycle.ts';
import { Model } from './model.ts';
import {
  type Clock,
  type Payments,
  type Recorded,
  type SeenTransfer,
  sameKey,
  type Terms,
  type View,
} from './payments.ts';
import { PureCore } from './pure-core.ts';

type Operation = Exclude<keyof Payments, 'view'>;

/** One operation that was carried out, and when. */
export interface Call {
  readonly now: number;
  readonly name: Operation;
  readonly given: readonly unknown[];
}

/** A life that went another way than the model. */
class Divergence extends Error {
  override name = 'Divergence';
}

/** Carries every operation out by the pure functions and by the model, and compares the states after each. */
export class Lockstep {
  readonly model: Model;
  readonly core: PureCore;
  readonly calls: Call[] = [];
  readonly #clock: Clock;

  constructor(terms: Terms, clock: Clock) {
    this.model = new Model(terms, clock);
    this.core = new PureCore(terms, clock);
    this.#clock = clock;
  }

  addReceipt = this.#both('addReceipt');
  addAddress = this.#both('addAddress');
  addQuote = this.#both('addQuote');
  record = this.#both('record') as (seen: SeenTransfer) => Recorded;
  hint = this.#both('hint');
  followHint = this.#both('followHint');
  confirm = this.#both('confirm');
  revert = this.#both('revert');
  expire = this.#both('expire');
  void = this.#both('void');
  fail = this.#both('fail');
  complete = this.#both('complete');
  accept = this.#both('accept');
  assign = this.#both('assign');
  mark = this.#both('mark');

  /** What must hold once everything was read and has its depth. */
  checkSettled(logs: readonly SeenTransfer[]): void {
    const view = this.core.view();
    const where = ({ chainId, blockHash, logIndex }: { chainId: number; blockHash: string; logIndex: number }) =>
      `${chainId}/${blockHash}/${logIndex}`;
    const onChain = view.transfers.filter(({ isCanonical }) => isCanonical);
    this.#same('the stored transfers and the chains', onChain.map(where).sort(), logs.map(where).sort());
    for (const { id, status, history } of view.receipts) {
      if (status === 'tx_mined') throw new Divergence(`${id} is still tx_mined`);
      const path = history.filter((name): name is ReceiptStatus => RECEIPT.statuses.includes(name as ReceiptStatus));
      for (const [i, to] of path.slice(1).entries())
        if (!RECEIPT.mayMove(path[i]!, to)) throw new Divergence(`${id} moved from ${path[i]} to ${to}`);
    }
    this.#checkPaidOnce(view, logs);
    this.#checkAddresses(view, logs);
  }

  /** A transaction pays as often as it has transfers that collect nothing, also if it was in several blocks. */
  #checkPaidOnce({ transfers }: View, logs: readonly SeenTransfer[]): void {
    const moves = new Map<string, number>();
    const place = (one: { chainId: number; transactionHash: string }) => `${one.chainId}/${one.transactionHash}`;
    for (const log of logs)
      moves.set(place(log), (moves.get(place(log)) ?? 0) + (this.model.isCollection(log) ? 0 : 1));
    for (const [hash, most] of moves) {
      const paid = transfers.filter((one) => place(one) === hash && one.receiptId !== null);
      if (paid.length > most) throw new Divergence(`${hash} pays ${paid.length} receipts with ${most} transfers`);
    }
  }

  /** Money at an address pays no other receipt, unless by hand, and its own one if that waits for it. */
  #checkAddresses({ transfers }: View, logs: readonly SeenTransfer[]): void {
    const byHand = this.calls.filter(({ name }) => name === 'assign').map(({ given }) => JSON.stringify(given));
    for (const log of logs) {
      const owner = this.model.addressed(log)?.receiptId;
      const { receiptId, reason, isMarked, transactionHash, chainId } = transfers.find((one) => sameKey(one, log))!;
      if (owner === undefined) continue;
      const isAssigned = byHand.some((call) => call.includes(transactionHash) && call.includes(`"${receiptId}"`));
      if (receiptId !== null && receiptId !== owner && !isAssigned)
        throw new Divergence(`${transactionHash} at ${log.to} on ${chainId} pays ${receiptId}`);
      if (reason === 'duplicate' && !isMarked && this.model.waits(owner))
        throw new Divergence(`${owner} waits for money beside a duplicate`);
    }
  }

  #both<Name extends Operation>(name: Name) {
    return (...given: Parameters<Payments[Name]>): Recorded | undefined => {
      this.calls.push({ now: this.#clock.now, name, given });
      const [core, model] = [this.core, this.model].map((one: Payments) =>
        (one[name] as (...all: unknown[]) => unknown)(...given),
      );
      this.#same(`the answers of ${name}`, core, model);
      this.#same(`the states after ${name}`, this.core.view(), this.model.view());
      return core as Recorded | undefined;
    };
  }

  #same(what: string, core: unknown, model: unknown): void {
    const [ours, theirs] = [JSON.stringify(core), JSON.stringify(model)];
    if (ours !== theirs) throw new Divergence(`${what} differ:\n  core  ${ours}\n  model ${theirs}`);
  }
}
