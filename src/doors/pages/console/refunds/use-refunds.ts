import type { Client } from '@urql/core';
import { useClient } from '@urql/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sendCalls, sendsSeveral } from '../../client/calls.ts';
import { connectAccount, type Provider, sendTransaction, switchChain } from '../../client/wallet.ts';
import { useInside } from '../client/inside.ts';
import { answerText, walletProblem } from '../client/problem.ts';
import { ProveRefund, RefundDrafts, type RefundDraftsQuery, type RefundReason } from '../generated/refunds.ts';
import { words } from '../shared/words.ts';

/** The time between two attempts to prove a refund. */
const PROVE_MS = 2_000;

/** What the console does with refunds now, as text, and what went wrong. */
export interface Refunding {
  readonly busy: string | null;
  readonly problem: string | null;
  /** The number of refunds that were proven since the component is there. */
  readonly proven: number;
  send(orders: readonly RefundOrder[], provider: Provider): Promise<void>;
}

/**
 * Sends refunds from a wallet and registers their proofs. A proof that could not be registered before is registered
 * when a component with this hook appears, also after a reload. With `receiptId` only those of this receipt.
 */
export function useRefunds(receiptId?: string): Refunding {
  const { session, settings } = useInside();
  const client = useClient();
  const merchant = session.merchant ?? '';
  const [state, setState] = useState<Omit<Refunding, 'send'>>({ busy: null, problem: null, proven: 0 });
  const says = (busy: string | null) => setState((old) => ({ ...old, busy, problem: null }));
  const left = useRef(false);
  const sent = sentStore(merchant);

  /** Registers one proof; waits for the network as long as the component is there. */
  async function prove(refund: SentRefund): Promise<void> {
    says(words.refund.proving);
    while (!left.current) {
      const { receiptId: id, usd, buyer, txHash, chainId, reason, note } = refund;
      const input = { receiptId: id, usd, buyer, txHash, chainId, reason, note, wallet: merchant };
      const { error } = await client.mutation(ProveRefund as string, { input, key: `${id} ${txHash}` }).toPromise();
      if (!error) {
        sent.remove(refund);
        setState((old) => ({ ...old, proven: old.proven + 1 }));
        return;
      }
      const [refusal] = error.graphQLErrors;
      if (refusal && !isTooEarly(refusal)) {
        // A proof that was registered twice needs no third time.
        sent.remove(refund);
        throw new Error(answerText(error));
      }
      await new Promise((resolve) => setTimeout(resolve, PROVE_MS));
    }
  }

  async function proveAll(): Promise<void> {
    const open = sent.all().filter((one) => receiptId === undefined || one.receiptId === receiptId);
    if (open.length === 0) return;
    try {
      for (const refund of open) await prove(refund);
      says(null);
    } catch (error) {
      setState((old) => ({ ...old, busy: null, problem: (error as Error).message }));
    }
  }

  useEffect(() => {
    left.current = false;
    void proveAll();
    return () => {
      left.current = true;
    };
  }, []);

  return {
    ...state,
    async send(orders, provider) {
      let { chain } = settings;
      try {
        says(words.refund.preparing);
        const drafts = await Promise.all(orders.map((order) => readDrafts(client, order)));
        says(words.signIn.connecting);
        const from = await connectAccount(provider);
        says(words.refund.confirm);
        // A transaction proves what was said of its refund, too.
        const onSent = (refund: SentRefund) => {
          const of = orders.find(({ receiptId: id, buyer }) => id === refund.receiptId && buyer === refund.buyer);
          sent.add({ ...refund, reason: of?.reason ?? null, note: of?.note ?? null });
        };
        const switchTo = (chainId: number) => {
          chain = settings.chains.find(({ id }) => id === chainId) ?? settings.chain;
          return switchChain(provider, chain);
        };
        await sendRefunds({ provider, from, drafts: drafts.flat(), switchTo, onSent });
      } catch (error) {
        // What was sent before the problem is proven all the same.
        const problem = walletProblem(error, chain.name);
        await proveAll();
        setState((old) => ({ ...old, busy: null, problem }));
        return;
      }
      await proveAll();
    },
  };
}

/** The transactions that return the money of an order. Throws the server's message. */
async function readDrafts(
  client: Client,
  { receiptId, usd, buyer }: RefundOrder,
): Promise<RefundDraftsQuery['refundDrafts']> {
  const options = { requestPolicy: 'network-only' } as const;
  const asked = await client.query<RefundDraftsQuery>(RefundDrafts as string, { receiptId, usd, buyer }, options);
  if (!asked.data) throw new Error(answerText(asked.error));
  return asked.data.refundDrafts;
}

/** The chain does not show the transaction yet, or not deep enough. */
const isTooEarly = ({ extensions }: { extensions: Record<string, unknown> }): boolean =>
  extensions.code === 'chain_unavailable' ||
  extensions.code === 'datastore_unavailable' ||
  extensions.code === 'rate_limited' ||
  extensions.reason === 'too_early';

const NAME = 'console.refunds-sent';

/**
 * Refunds that were sent and are not proven yet. They outlive the tab, because the money has left the wallet. Kept by
 * merchant: another merchant of this browser does not see them.
 */
interface SentStore {
  all(): readonly SentRefund[];
  add(refund: SentRefund): void;
  remove(refund: SentRefund): void;
}

/** The sent refunds of a merchant. */
function sentStore(merchant: string): SentStore {
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

/** Money that goes back to a buyer. */
interface RefundOrder {
  readonly receiptId: string;
  readonly usd: number;
  readonly buyer: string;
  readonly reason?: RefundReason | null;
  readonly note?: string | null;
}

/** One transaction of a refund, as the server prepared it. */
type Draft = RefundDraftsQuery['refundDrafts'][number];

/** A refund that has been sent, and the transaction that proves it. */
interface SentRefund extends RefundOrder {
  readonly txHash: string;
  readonly chainId: number;
  readonly token: string;
}

interface SendOptions {
  readonly provider: Provider;
  /** The account that sends. */
  readonly from: string;
  readonly drafts: readonly Draft[];
  /** Called before the first transaction of each chain. */
  switchTo(chainId: number): Promise<void>;
  /** Called as soon as a transaction is known, before anything else is sent. */
  onSent(refund: SentRefund): void;
}

const hex = (value: string): string => `0x${BigInt(value).toString(16)}`;

const callOf = ({ to, data, value }: Draft) => ({ to, data, value: hex(value) });

/**
 * Sends refunds from a wallet, chain by chain: several of tokens in one request if the wallet can (EIP-5792), all
 * others one by one. Native coins that a wallet's contract passes on leave no trace that proves them, so they are sent
 * by themselves.
 */
async function sendRefunds({ drafts, switchTo, ...options }: SendOptions): Promise<void> {
  for (const [chainId, those] of Map.groupBy(drafts, (draft) => draft.chainId)) {
    await switchTo(chainId);
    await sendOnChain(chainId, { ...options, drafts: those });
  }
}

async function sendOnChain(
  chainId: number,
  { provider, from, drafts, onSent }: Omit<SendOptions, 'switchTo'>,
): Promise<void> {
  const tokens = drafts.filter(({ value }) => value === '0');
  const together = tokens.length > 1 && (await sendsSeveral(provider, from, chainId));
  const alone = together ? drafts.filter((one) => !tokens.includes(one)) : drafts;
  if (together) {
    const calls = tokens.map(callOf);
    // The transactions of the calls in their order: one each, or one for all.
    const hashes = await sendCalls(provider, { from, chainId, atomicRequired: false, calls });
    for (const [n, draft] of tokens.entries()) onSent(sentOf(draft, hashes[n] ?? hashes[0]!));
  }
  for (const draft of alone) {
    onSent(sentOf(draft, await sendTransaction(provider, chainId, { from, ...callOf(draft) })));
  }
}

const sentOf = ({ receiptId, usd, buyer, chainId, token }: Draft, txHash: string): SentRefund => ({
  receiptId,
  usd,
  buyer,
  chainId,
  token,
  txHash,
});
