import { encodeFunctionData, erc20Abi, type Hash, type Hex, maxUint256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { mintTestTokens, payFromTestWallet } from '../../src/base/chain/local.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { type Authorizer, newAuthorizer } from '../../src/base/chain/test/authorize.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { followTransactions } from '../../src/base/onchain/spender/follow-transactions.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { openWallet } from '../../src/base/onchain/spender/spender-key.ts';
import { gaslessOutcomes } from '../../src/domain/payments/gasless/outcomes.ts';
import { watchAddresses } from '../../src/domain/payments/transfers/watched.ts';
import { scan } from '../../src/domain/payments/watching/scan.ts';
import { expireReceipts } from '../../src/domain/sales/receipts/end.ts';
import { createShares } from '../../src/domain/settlement/shares/create-shares.ts';
import { configuredRates } from '../../src/domain/shop/fx/usd-per-token.ts';
import { stock } from '../contract/catalog.ts';
import { ask } from '../graphql/ask.ts';
import { until } from './program.ts';
import { startTestServer } from './server.ts';
import { runStatement } from './statement.ts';
import { makePlan, subscribe, subscriptionBody, tokenOf, walletOf } from './subscriber.ts';

const CARD = 'mutation ($id: ID!) { startCardCheckout(receiptId: $id) { url } }';
const VOID = 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }';
const RENEW = 'mutation ($id: ID!) { renewReceipt(receiptId: $id) { status } }';
const QUOTE =
  'mutation ($id: ID!, $token: String!) { quotePayment(receiptId: $id, token: $token) { token payTo amount } }';
const SUBMIT =
  'mutation ($id: ID!, $hash: Hex!) { submitTransaction(receiptId: $id, transactionHash: $hash) { status } }';
const DRAFT = `mutation ($id: ID!, $from: Wallet!) { draftAuthorization(receiptId: $id, token: "USDC", from: $from) {
  from to value validAfter validBefore nonce typedData } }`;
const PAY = `mutation ($id: ID!, $authorization: TransferAuthorizationInput!) {
  payByAuthorization(receiptId: $id, token: "USDC", authorization: $authorization) { state transactionHash } }`;
const READ = `query ($id: ID!) { receipt(receiptId: $id) { status closedAt transactionHash totalUsd onrampSessionId
  cardSession { status } failure { code } } }`;

/** A transfer that a buyer has signed. */
export interface Signed {
  readonly nonce: Hex;
  readonly [field: string]: unknown;
}

export interface Subscriber {
  readonly id: string;
  readonly key: Hex;
  readonly wallet: Wallet;
}

/**
 * A shop on a chain of its own, whose payments a test can hold in any state: no worker runs, and `automine(false)`
 * leaves transactions without a block. `look` follows what the workers would.
 */
export async function openHeldShop({ clock = Date.now }: { readonly clock?: () => number } = {}) {
  const chain = await startTestChain();
  const server = await startTestServer({
    clock,
    env: { RPC_URL: chain.rpcUrl, CONFIRMATIONS: '2', CHARGE_SCHEDULE: 'off' },
  });
  afterAll(async () => {
    await server.stop();
    await chain.stop();
  });
  const { deps } = server;
  const merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
  const session = await server.signIn(merchant.account);
  const plan = await makePlan(server, merchant, { priceUsd: 18 });
  const matching = { ...deps, readRate: configuredRates(deps), watched: watchAddresses(deps), createShares };
  const settlement = openWallet('settlement', deps.settings.settlementPrivateKey!);
  const { control } = chain;

  const rows = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
    runStatement<Row>(deps.db, { name: `test-${text.length}-${text.slice(0, 40)}`, text }, parameters);
  const mutate = (query: string, id: string, more: object = {}) => ask(server, session, query, { id, ...more });
  const data = async <T>(query: string, id: string, more: object = {}): Promise<T> => {
    const { body } = await mutate(query, id, more);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return Object.values(body.data)[0] as T;
  };
  const fund = async (wallet: Wallet) => control.setBalance({ address: toAddress(wallet), value: 10n ** 20n });
  const cron = () => ({ 'x-cron-secret': deps.settings.cronSecret });

  const shop = {
    chain,
    server,
    merchant,
    session,
    rows,
    fund,
    ask: (query: string) => ask(server, session, query),
    mine: (blocks = 1) => control.mine({ blocks }),
    automine: (on: boolean) => control.setAutomine(on),
    /** One pass of the watcher, and one over the transactions of the settlement wallet. */
    async look() {
      await followTransactions(deps, settlement, gaslessOutcomes(deps));
      await scan(matching);
    },
    scan: () => scan(matching),
    follow: () => followTransactions(deps, settlement, gaslessOutcomes(deps)),
    async order(): Promise<string> {
      const body = { items: [{ sku: 'TEA', qty: 1 }] };
      return (await server.call('POST', '/api/orders', { headers: merchant.auth, body })).body.receipt.receiptId;
    },
    read: (id: string): Promise<{ status: string; closedAt: number | null; transactionHash: string | null }> =>
      data(READ, id),
    status: async (id: string): Promise<string> => (await shop.read(id)).status,
    void: (id: string) => mutate(VOID, id),
    renew: (id: string) => mutate(RENEW, id),
    startCard: (id: string) => mutate(CARD, id),
    draft: (id: string, { wallet }: Pick<Authorizer, 'wallet'>) => mutate(DRAFT, id, { from: wallet }),
    submit: (id: string, hash: string) => data(SUBMIT, id, { hash }),
    quote: (id: string, token = 'USDC'): Promise<{ token: string; payTo: Wallet; amount: string }> =>
      data(QUOTE, id, { token }),
    /** Ends the receipt's time, as the timer would find it. */
    async expire(id: string) {
      await rows('update receipts set expires_at = $2, lifetime_ms = 600000 where id = $1', [id, clock() - 1]);
      await expireReceipts(deps);
    },
    /** Opens a checkout of the sandbox. */
    async openCard(id: string): Promise<string> {
      const { url } = await data<{ url: string }>(CARD, id);
      return url;
    },
    press: (url: string, outcome = 'pay') =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' }),
    /** Pays a quote from a wallet, and does not wait for its block. */
    async pay(id: string, more = 0n): Promise<Hash> {
      const { token, payTo: to, amount } = await shop.quote(id);
      return payFromTestWallet(chain.chain, { token, to, amount: BigInt(amount) + more });
    },
    /** Pays a quote from a wallet, and waits for its block. */
    async payInBlock(id: string, more = 0n): Promise<Hash> {
      const hash = await shop.pay(id, more);
      await chain.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      return hash;
    },
    /** Pays a quote straight to the split, and waits for its block. */
    async payPast(id: string): Promise<Hash> {
      const { token, amount } = await shop.quote(id);
      const to = merchant.split as Wallet;
      const hash = await payFromTestWallet(chain.chain, { token, to, amount: BigInt(amount) });
      await chain.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      return hash;
    },
    /** A buyer with the money of a receipt and without ether. */
    async payer(): Promise<Authorizer> {
      const made = newAuthorizer();
      await mintTestTokens(chain.chain, 'USDC', made.wallet, 1_000_000_000n);
      return made;
    },
    /** Signs the draft of a transfer that pays the receipt. */
    async sign(id: string, payer: Authorizer): Promise<Signed> {
      await shop.quote(id);
      const { typedData, ...authorization } = await data<{ typedData: never; nonce: Hex }>(DRAFT, id, {
        from: payer.wallet,
      });
      return { ...authorization, signature: await payer.account.signTypedData(typedData) };
    },
    payBy: (id: string, authorization: Signed) => mutate(PAY, id, { authorization }),
    sendSigned: (id: string, authorization: Signed): Promise<{ state: string; transactionHash: Hash }> =>
      data(PAY, id, { authorization }),
    authorizations: async (id: string): Promise<string[]> =>
      (
        await rows<{ state: string }>(
          'select state from payment_authorizations where receipt_id = $1 order by created_at',
          [id],
        )
      ).map(({ state }) => state),
    async subscribe(): Promise<Subscriber> {
      const key = generatePrivateKey();
      const customer = privateKeyToAccount(key);
      const wallet = walletOf(customer);
      await fund(wallet);
      await mintTestTokens(chain.chain, 'USDC', wallet, 1_000_000_000n);
      const args = [toAddress(spenderOf(deps).spender), maxUint256] as const;
      const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
      const sender = createSender(chain.chain, key);
      await sender.waitFor((await sender.send({ to: tokenOf(server, 'USDC'), data: approval })).hash!);
      const body = await subscriptionBody(server, plan, { customer });
      const answer = await subscribe(server, merchant, body);
      return { id: answer.body.subscription.subscriptionId, key, wallet };
    },
    charge: ({ id }: Subscriber) =>
      server.call('POST', '/api/subscriptions/charge', { headers: cron(), body: { subscriptionId: id } }),
    batch: () => server.call('POST', '/api/cron/charge-subscriptions', { headers: cron() }),
    subscription: async ({ id }: Subscriber) =>
      (await server.call('GET', `/api/subscriptions/status?subscriptionId=${id}`, { headers: merchant.auth })).body
        .subscription,
    /** The charges of a subscription with their receipts, the earliest first. */
    charges: ({ id }: Subscriber) =>
      rows<{ id: string; receipt_id: string; status: string; transaction_hash: string | null; period_end: string }>(
        'select id, receipt_id, status, transaction_hash, period_end from charges where subscription_id = $1 order by period_start',
        [id],
      ),
    billed: ({ id }: Subscriber) =>
      rows('select amount_cents::int, fee_cents::int from billing_events where subscription_id = $1', [id]),
    /** Sends a charge whose transaction waits for a block. `answer` is the answer of the route. */
    async sendCharge(of: Subscriber) {
      await shop.automine(false);
      const answer = shop.charge(of);
      await until(async () => (await shop.charges(of)).some(({ status }) => status === 'sent'));
      const { receipt_id: receiptId } = (await shop.charges(of)).at(-1)!;
      return { receiptId, answer };
    },
    giveMoney: ({ wallet }: Pick<Authorizer, 'wallet'>) => mintTestTokens(chain.chain, 'USDC', wallet, 1_000_000_000n),
    /** Moves all of a wallet's money away, before everything else that waits for a block. */
    async takeMoney({ wallet }: Pick<Authorizer, 'wallet'>) {
      const args = [toAddress(merchant.wallet), await shop.balanceOf(wallet)] as const;
      const call = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
      const first = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x174876e800', gas: '0x493e0' };
      await fund(wallet);
      await control.impersonateAccount({ address: toAddress(wallet) });
      const params = [{ from: wallet, to: tokenOf(server, 'USDC'), data: call, ...first }];
      await control.request({ method: 'eth_sendTransaction', params } as never);
    },
    /** A charge that reverts, because the customer moves the money away in the block before it. Returns its receipt. */
    async failCharge(of: Subscriber): Promise<string> {
      const { receiptId, answer } = await shop.sendCharge(of);
      await shop.takeMoney(of);
      await shop.mine();
      await shop.automine(true);
      const { body } = await answer;
      if (body.reason !== 'reverted') throw new Error(`The charge did not revert: ${JSON.stringify(body)}`);
      await shop.giveMoney(of);
      return receiptId;
    },
    balanceOf: (wallet: Wallet): Promise<bigint> =>
      chain.chain.client.readContract({
        abi: erc20Abi,
        address: toAddress(tokenOf(server, 'USDC')),
        functionName: 'balanceOf',
        args: [toAddress(wallet)],
      }),
    /** Has the subscription's next charge due now, as if the days until its retry had passed. */
    makeDue: ({ id }: Subscriber) => rows('update subscriptions set next_charge_at = 1 where id = $1', [id]),
    /** Follows blocks until the receipt has this status. */
    reach: (id: string, status: string) =>
      until(async () => {
        await shop.mine();
        await shop.look();
        return (await shop.status(id)) === status;
      }),
    unmatched: async (): Promise<{ reason: string; amount: string }[]> =>
      (await ask(server, session, '{ unmatchedTransfers { nodes { reason amount } } }')).body.data.unmatchedTransfers
        .nodes,
  };
  return shop;
}
