import type { Page } from 'playwright-core';
import type { Hash } from 'viem';
import { toAddress, toWallet } from '../../src/base/chain/address.ts';
import { executeTransaction } from '../../src/base/chain/spend-permission-account.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import type { TestAccount } from '../support/server.ts';
import { sendBatch } from './batch.ts';
import type { Shop } from './shop.ts';

/** A transaction as a page asks a wallet for it. */
interface Asked {
  readonly from: string;
  readonly to: `0x${string}`;
  readonly value?: `0x${string}`;
  readonly data?: `0x${string}`;
}

export interface InjectedOptions {
  /** Announced by EIP-6963 under this name; without one the wallet is the older `window.ethereum`. */
  readonly name?: string;
  /** What the wallet does when it is asked to send; it sends what it is asked for. */
  readonly send?: (asked: Asked) => Promise<Hash>;
  /** What the wallet does when it is asked to sign typed data; it signs what it is asked for. */
  readonly sign?: (typedData: unknown) => Promise<Hash>;
  /** The chain that the wallet is on before it is asked to change. */
  readonly chainId?: number;
  /**
   * What it does when it is asked to change its chain; it changes by default. `refuses`: it answers with an error.
   * `lies`: it says that it has changed. `late`: it has changed once its chain was read three more times. `returns`: it
   * changes, and is on its own chain again when its chain was read once.
   */
  readonly changes?: 'refuses' | 'lies' | 'late' | 'returns';
  /** Whether it sends several calls together, as one transaction of the account (EIP-5792 over EIP-7702). */
  readonly batches?: boolean;
  /** A smart account of the account's: the wallet's own address, in whose name it sends and signs. */
  readonly smartAccount?: Wallet;
  /** Whether it reads its chain, and sends what is signed, for the page. */
  readonly reads?: boolean;
  /** Not in frames of the page. */
  readonly topOnly?: boolean;
  /** Called with the method of each request. */
  readonly onAsk?: (method: string) => void;
}

/** What wallets pass on to their node. */
const READS = ['eth_getCode', 'eth_getBalance', 'eth_call', 'eth_getTransactionReceipt', 'eth_sendRawTransaction'];

/** What a wallet throws, with the code of EIP-1193. */
export class WalletError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Puts a wallet into the page before it loads: an EIP-1193 provider in the page, whose requests an account outside of
 * it answers, signs and sends. The list of methods that it was asked for grows as it is asked.
 */
export async function injectWallet(
  page: Page,
  shop: Pick<Shop, 'walletOf'>,
  account: TestAccount,
  options: InjectedOptions = {},
): Promise<string[]> {
  const { name, send, sign, chainId = 31337, changes, batches = false, reads = false } = options;
  const { topOnly = false, onAsk, smartAccount } = options;
  const own = smartAccount ?? account.address;
  const asked: string[] = [];
  let current = chainId;
  /** The chain that it changes to by itself, and after how many reads of its chain. */
  let later: { reads: number; readonly chainId: number } | null = null;
  const readsBy = (method: string) => (params: unknown[]) =>
    shop.walletOf(account).request({ method, params } as never);
  const methods: Record<string, (params: unknown[]) => unknown> = {
    eth_requestAccounts: () => [own],
    eth_accounts: () => [own],
    eth_chainId() {
      const read = current;
      if (later && --later.reads === 0) current = later.chainId;
      return `0x${read.toString(16)}`;
    },
    wallet_switchEthereumChain([wanted]) {
      if (changes === 'refuses') throw new WalletError(4902, 'Unrecognized chain ID');
      const asked = Number((wanted as { chainId: string }).chainId);
      if (changes === 'late') later = { reads: 3, chainId: asked };
      else if (changes === 'returns') later = { reads: 1, chainId: current };
      if (changes === undefined || changes === 'returns') current = asked;
      return null;
    },
    eth_signTypedData_v4([, text]) {
      const typedData = JSON.parse(text as string);
      return sign ? sign(typedData) : account.signTypedData(typedData);
    },
    eth_sendTransaction([transaction]) {
      const wanted = transaction as Asked;
      if (send) return send(wanted);
      const { to, data, value } = wanted;
      return shop.walletOf(account).sendTransaction({ to, data, value: value && BigInt(value) });
    },
    ...(batches ? batchMethods(shop, account, smartAccount) : {}),
    ...(reads ? Object.fromEntries(READS.map((method) => [method, readsBy(method)])) : {}),
  };
  await page.exposeFunction('askWallet', async (method: string, params: unknown[]) => {
    asked.push(method);
    onAsk?.(method);
    try {
      const answer = methods[method];
      if (!answer) throw new WalletError(4200, `${method} is not supported`);
      return { result: await answer(params) };
    } catch (error) {
      const { code = -32603, message } = error as { code?: number; message: string };
      return { error: { code, message } };
    }
  });
  await page.addInitScript(
    ([announcedAs, isTopOnly]) => {
      if (isTopOnly && window !== window.top) return;
      const ask = (
        window as unknown as { askWallet(m: string, p: unknown[]): Promise<{ result: unknown; error?: object }> }
      ).askWallet;
      const provider = {
        async request({ method, params = [] }: { method: string; params?: unknown[] }) {
          const { result, error } = await ask(method, params);
          if (error) throw error;
          return result;
        },
      };
      if (announcedAs == null) {
        Object.assign(window, { ethereum: provider });
        return;
      }
      const info = { uuid: `uuid-${announcedAs}`, name: announcedAs, icon: '', rdns: 'test.wallet' };
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
        );
      window.addEventListener('eip6963:requestProvider', announce);
      announce();
    },
    [name ?? null, topOnly] as const,
  );
  return asked;
}

/** The methods of EIP-5792. The id of a batch is the hash of its transaction. */
function batchMethods(shop: Pick<Shop, 'walletOf'>, account: TestAccount, smartAccount?: Wallet) {
  const wallet = shop.walletOf(account);
  const chainId = `0x${wallet.chain.id.toString(16)}`;
  return {
    wallet_getCapabilities: () => ({ [chainId]: { atomic: { status: 'supported' } } }),
    async wallet_sendCalls([batch]: unknown[]) {
      const { calls } = batch as { calls: Asked[] };
      if (!smartAccount) return { id: await sendBatch(wallet, calls) };
      const asOwner = calls.map(({ to, data = '0x' }) => {
        const call = executeTransaction(smartAccount, { to: toWallet(to), data });
        return { to: toAddress(call.to), data: call.data };
      });
      return { id: await sendBatch(wallet, asOwner) };
    },
    async wallet_getCallsStatus([id]: unknown[]) {
      const receipt = await wallet.request({ method: 'eth_getTransactionReceipt', params: [id as Hash] } as never);
      const done = receipt !== null;
      return { version: '2.0.0', id, chainId, status: done ? 200 : 100, atomic: true, receipts: done ? [receipt] : [] };
    },
  };
}
