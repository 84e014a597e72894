import { setTimeout as pause } from 'node:timers/promises';
import { createPublicClient, createWalletClient, erc20Abi, type Hash, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { toAddress, toWallet } from '../../src/base/chain/address.ts';
import { createChain } from '../../src/base/chain/client.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { receiptSalt } from '../../src/base/chain/receipt-address.ts';
import { collectCall, RECEIPT_FACTORY } from '../../src/base/chain/receipt-record.ts';
import { isDeployed } from '../../src/base/chain/splitter.ts';
import { defaultTokens } from '../../src/base/chain/tokens.ts';
import { LOCAL_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { saveItem } from '../../src/domain/shop/catalog/test/requests.ts';
import { writeShop } from '../../src/domain/shop/merchants/test/requests.ts';
import { ask } from '../graphql/ask.ts';
import {
  newAccount,
  startTestServer,
  type TestAccount,
  type TestMerchant,
  type TestServer,
} from '../support/server.ts';
import { startLivingChain } from './chain.ts';

/** What the test merchant sells: 2 mugs and a bag come to 64.12 with the fee of 0.5 % and a tax of 2 %. */
const ITEMS = [
  { sku: 'MUG', name: 'Stoneware mug', priceUsd: 24, stockQty: -1, taxable: true },
  { sku: 'BEANS', name: 'Espresso beans, 250 g', priceUsd: 14.5, stockQty: -1, taxable: false },
] as const;

const UNMATCHED = '{ unmatchedTransfers { nodes { transactionHash } } }';

interface ShopOptions {
  readonly tailBlocks?: number;
  readonly clock?: () => number;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A server with its workers on a chain of its own; see `startLivingChain`. */
export async function openShop({ tailBlocks, clock, env }: ShopOptions = {}) {
  const chain = await startLivingChain(tailBlocks);
  const server = await startTestServer({ worker: true, clock, env: { RPC_URL: chain.rpcUrl, ...env } });
  const buyers = openBuyers(chain.rpcUrl);
  return {
    server,
    rpcUrl: chain.rpcUrl,
    ...buyers,
    /** A merchant with a catalog, a split and a key; `shop` is written to its shop. */
    async merchant(name = 'Kaldi Coffee Roasters', shop: object = {}): Promise<TestMerchant & { split: Wallet }> {
      const merchant = await server.merchant({ name });
      await writeShop(server.deps, merchant.wallet, shop);
      for (const item of ITEMS) await saveItem(server.deps, merchant.wallet, item);
      const { split } = merchant as { split: Wallet };
      // On a chain that stands still the deployment would be a block on top of whatever is paid first.
      while (tailBlocks === 0 && !(await buyers.isDeployed(split))) await pause(50);
      return { ...merchant, split };
    },
    /** Makes an order of two mugs and a bag; its receipt, with the address of its page. */
    order: (merchant: TestMerchant, body: object = {}) => placeOrder(server, merchant, body),
    /** The transactions of the merchant that pay no receipt. */
    async unmatched(merchant: TestMerchant): Promise<Hash[]> {
      const { body } = await ask(server, await server.signIn(merchant.account), UNMATCHED);
      return body.data.unmatchedTransfers.nodes.map((one: { transactionHash: Hash }) => one.transactionHash);
    },
    /** Collects a token from the first address of a receipt, which has code afterwards, as anyone can. */
    async collect(
      by: TestAccount,
      { wallet, split }: TestMerchant & { split: Wallet },
      { receiptId }: Order,
      symbol: string,
    ): Promise<void> {
      const text = 'select created_at as at from receipt_addresses where receipt_id = ? and number = 0';
      const [{ at }] = (await server.deps.db.orm.em.fork().execute(text, [receiptId])) as [{ at: string }];
      const salt = receiptSalt({ merchant: wallet, receiptId, createdAt: Number(at), number: 0 });
      const token = toWallet(contractOf(symbol)!);
      const call = collectCall({ factory: RECEIPT_FACTORY, split, token, salts: [salt], payees: [] });
      const hash = await buyers.walletOf(by).sendTransaction({ to: toAddress(call.to), data: call.data });
      await buyers.reader.waitForTransactionReceipt({ hash });
    },
    async stop() {
      await server.stop();
      await chain.stop();
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

export interface Order {
  readonly receiptId: string;
  readonly totalUsd: number;
  readonly url: string;
  /** The receipt's status as the contract's status endpoint tells it. */
  status(): Promise<string>;
}

async function placeOrder(server: TestServer, merchant: TestMerchant, body: object): Promise<Order> {
  const answer = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: {
      items: [
        { sku: 'MUG', qty: 2 },
        { sku: 'BEANS', qty: 1 },
      ],
      taxRate: 0.02,
      ...body,
    },
  });
  if (answer.status !== 200) throw new Error(`The order was refused: ${JSON.stringify(answer.body)}`);
  const { receiptId, totalUsd } = answer.body.receipt;
  return {
    receiptId,
    totalUsd,
    url: `${server.url}/portal/${receiptId}?recipient=${merchant.wallet}`,
    async status() {
      const { body: report } = await server.call('GET', `/api/receipts/status?receiptId=${receiptId}`, {
        headers: merchant.auth,
      });
      return report.status;
    },
  };
}

/** Wallets of buyers on the chain, and what the chain says of balances. */
export function openBuyers(rpcUrl: string) {
  const chain = createChain({
    chainId: LOCAL_CHAIN_ID,
    rpcUrl,
    tokens: defaultTokens(LOCAL_CHAIN_ID),
    confirmations: 0,
  });
  const definition = chain.client.chain!;
  const reader = createPublicClient({ chain: definition, transport: http(rpcUrl), pollingInterval: 50 });
  const walletOf = (account: TestAccount) =>
    createWalletClient({ account, chain: definition, transport: http(rpcUrl) });

  return {
    reader,
    walletOf,
    /** Mines blocks, for a chain that gets none by itself. */
    mine: (blocks: number) => reader.request({ method: 'anvil_mine', params: [`0x${blocks.toString(16)}`] } as never),
    isDeployed: (split: Wallet) => isDeployed(chain, split),
    /** A new account with one ether, and optionally with tokens. */
    async buyer(funds: Readonly<Record<string, bigint>> = {}): Promise<TestAccount> {
      const account = newAccount();
      await this.giveGas(account.address.toLowerCase() as Wallet);
      for (const [symbol, amount] of Object.entries(funds))
        await mintTestTokens(chain, symbol, account.address.toLowerCase() as Wallet, amount);
      return account;
    },
    /** One ether for an account. */
    async giveGas(to: Wallet): Promise<void> {
      const rich = walletOf(privateKeyToAccount(localAccount('buyer', 3).privateKey));
      const hash = await rich.sendTransaction({ to: toAddress(to), value: parseEther('1') });
      await reader.waitForTransactionReceipt({ hash });
    },
    /** A plain transfer, as any wallet makes it. */
    async transfer(account: TestAccount, symbol: string, to: Wallet, amount: bigint): Promise<Hash> {
      const contract = contractOf(symbol);
      const [wallet, payee] = [walletOf(account), toAddress(to)];
      if (!contract) return wallet.sendTransaction({ to: payee, value: amount });
      return wallet.writeContract({
        address: contract,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [payee, amount],
      });
    },
    balance(symbol: string, of: Wallet): Promise<bigint> {
      const contract = contractOf(symbol);
      if (!contract) return reader.getBalance({ address: toAddress(of) });
      return reader.readContract({
        address: contract,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [toAddress(of)],
      });
    },
  };
}

function contractOf(symbol: string): `0x${string}` | null {
  const token = defaultTokens(LOCAL_CHAIN_ID).find((one) => one.symbol === symbol);
  return token?.address ? toAddress(token.address) : null;
}
