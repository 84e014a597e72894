import { setTimeout as pause } from 'node:timers/promises';
import { type Hex, TransactionNotFoundError } from 'viem';
import { authorizationOf, signAuthorization } from '../../src/base/chain/test/authorize.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { postStripe, stripeEvent } from '../support/stripe.ts';
import type { RailChain, RailWorld } from './world.ts';

/** How a receipt is paid: a transfer that nothing announces, one that is announced, a signature, HTTP 402, a card. */
export const RAILS = ['plain', 'wallet', 'gasless', 'x402', 'card'] as const;

/** A receipt, and what was paid for it. */
export interface RailPayment {
  readonly receiptId: string;
  readonly rail: (typeof RAILS)[number];
  readonly chainId: number;
  /** Base units. */
  readonly amount: bigint;
  /** The receipt's address. */
  readonly payTo: Wallet;
  /** The payer's own transfer; null where the server sends it. */
  sent: { hash: Hex } | null;
}

type Paid = Pick<RailPayment, 'amount' | 'payTo' | 'sent'>;

const RETRY_MS = 100;
/** How long a payer repeats a step, with all of what is killed meanwhile. */
const PATIENCE_MS = 120_000;

/** Repeats a step until it has a result. An error, a refused connection and no result are repeated. */
async function persist<T>(what: string, step: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  let last: unknown = 'no result';
  for (;;) {
    try {
      const result = await step();
      if (result !== null) return result;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) throw new Error(`${what}: ${last}`);
    await pause(RETRY_MS);
  }
}

type Place = { readonly receiptId: string; readonly on: RailChain };

/** Makes a receipt and pays it on one rail. Throws if a step is refused for too long. */
export async function payReceipt(world: RailWorld, receiptId: string, dollars: number): Promise<RailPayment> {
  const { call, merchant, dice } = world;
  const rail = dice.pick(RAILS);
  // The card provider delivers on the first chain.
  const on = rail === 'card' ? world.chains[0]! : dice.pick(world.chains);
  const payer = dice.below(on.payers.length);
  const body = { id: receiptId, lineItems: [{ label: 'Cup', priceUsd: dollars }] };
  await persist(`${receiptId} is made`, async () => {
    const headers = { ...merchant.auth, 'Idempotency-Key': receiptId };
    const answer = await call('POST', '/api/receipts', { headers, body });
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return true;
  });
  const place = { receiptId, on };
  return { receiptId, rail, chainId: on.chainId, ...(await ways[rail](world, place, on.payers[payer]!)) };
}

type Way = (world: RailWorld, place: Place, payer: RailChain['payers'][number]) => Promise<Paid>;

const ways: Record<RailPayment['rail'], Way> = {
  async plain(world, place) {
    return transfer(place, await quote(world, place));
  },

  async wallet(world, place) {
    const paid = await transfer(place, await quote(world, place));
    const SUBMIT = `mutation ($id: ID!, $hash: Hex!, $chainId: SafeInt) {
      submitTransaction(receiptId: $id, transactionHash: $hash, chainId: $chainId) { status } }`;
    await ask(world, place, SUBMIT, { hash: paid.sent!.hash });
    return paid;
  },

  async gasless(world, place, { account, wallet }) {
    const { amount, payTo } = await quote(world, place);
    const DRAFT = `mutation ($id: ID!, $chainId: SafeInt, $from: Wallet!) {
      draftAuthorization(receiptId: $id, token: "USDC", chainId: $chainId, from: $from) {
        from to value validAfter validBefore nonce typedData } }`;
    const drafted = await ask(world, place, DRAFT, { from: wallet });
    const { typedData, ...draft } = drafted.draftAuthorization;
    const authorization = { ...draft, signature: await account.signTypedData(typedData) };
    const PAY = `mutation ($id: ID!, $chainId: SafeInt, $authorization: TransferAuthorizationInput!) {
      payByAuthorization(receiptId: $id, token: "USDC", chainId: $chainId, authorization: $authorization) { state } }`;
    await ask(world, place, PAY, { authorization });
    return { amount: BigInt(amount), payTo, sent: null };
  },

  async x402(world, place, { account, wallet }) {
    const { receipt } = await ask(world, place, 'query ($id: ID!) { receipt(receiptId: $id) { x402Url } }', {});
    const network = `eip155:${place.on.chainId}`;
    const accepted = await persist(`${place.receiptId} asks for a payment`, async () => {
      const answer = await fetch(receipt.x402Url);
      const { accepts } = (await answer.json()) as { accepts: Record<string, string>[] };
      return accepts.find((one) => one.network === network) ?? null;
    });
    const value = BigInt(accepted.amount!);
    const payTo = accepted.payTo!.toLowerCase() as Wallet;
    const authorization = authorizationOf(wallet, { to: payTo, value });
    const texts = Object.fromEntries(Object.entries(authorization).map(([name, field]) => [name, String(field)]));
    const signature = await signAuthorization(place.on.local.chain, account, authorization);
    const payment = { x402Version: 2, accepted, payload: { signature, authorization: texts } };
    const headers = { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') };
    await persist(`${place.receiptId} is paid by 402`, async () => {
      const answer = await fetch(receipt.x402Url, { headers });
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      return true;
    });
    return { amount: value, payTo, sent: null };
  },

  /** A card provider charges, delivers to the address on the chain, and sends its events until they are answered. */
  async card(world, place) {
    const { receiptId } = place;
    const now = Date.now();
    const token = await issuePageToken(world.setup.deps.settings, { merchant: world.merchant.wallet, receiptId }, now);
    const page = { ...world, session: { authorization: `Bearer ${token}` } };
    const START = 'mutation ($id: ID!) { startCardCheckout(receiptId: $id) { url failure { code } } }';
    const { startCardCheckout: checkout } = await ask(page, place, START, {});
    if (checkout.url === null) throw new Error(`${receiptId} has no card checkout: ${checkout.failure.code}`);
    const { receipt } = await ask(page, place, 'query ($id: ID!) { receipt(receiptId: $id) { onrampSessionId } }', {});
    const paid = await transfer(place, await quote(page, place));
    for (const event of [
      stripeEvent(receipt.onrampSessionId, 'fulfillment_processing'),
      stripeEvent(receipt.onrampSessionId, 'fulfillment_complete', { transaction_id: paid.sent!.hash }),
    ])
      await persist(`${receiptId} is delivered`, async () => (await postStripe(world, event)).status === 200 || null);
    return paid;
  },
};

/** Sends the transfer that a receipt asks for. */
async function transfer({ on }: Place, { payTo, amount }: { payTo: Wallet; amount: string }): Promise<Paid> {
  const hash = await on.pay(payTo, BigInt(amount));
  return { amount: BigInt(amount), payTo, sent: { hash } };
}

/**
 * Sends again what a reorganization has dropped for good, as a wallet does: a node drops a transaction if others of its
 * sender come before it. Returns how many there were.
 */
export async function sendDropped({ chains }: RailWorld, payments: readonly RailPayment[]): Promise<number> {
  let count = 0;
  for (const { sent, chainId, payTo, amount } of payments) {
    if (sent === null) continue;
    const on = chains.find((chain) => chain.chainId === chainId)!;
    const isThere = await on.local.chain.client.getTransaction({ hash: sent.hash }).catch((error) => {
      if (error instanceof TransactionNotFoundError) return null;
      throw error;
    });
    if (isThere !== null) continue;
    sent.hash = await on.pay(payTo, amount);
    count += 1;
  }
  return count;
}

const QUOTE = `mutation ($id: ID!, $chainId: SafeInt) {
  quotePayment(receiptId: $id, token: "USDC", chainId: $chainId) { payTo amount } }`;

async function quote(
  world: Pick<RailWorld, 'call' | 'session'>,
  place: Place,
): Promise<{ payTo: Wallet; amount: string }> {
  const { payTo, amount } = (await ask(world, place, QUOTE, {})).quotePayment;
  return { payTo: payTo.toLowerCase(), amount };
}

/** Runs an operation of a session about the receipt on its chain, until it has a result. */
async function ask(
  { call, session }: Pick<RailWorld, 'call' | 'session'>,
  { receiptId, on }: Place,
  query: string,
  more: object,
) {
  const chain = query.includes('$chainId') ? { chainId: on.chainId } : {};
  const body = { query, variables: { id: receiptId, ...chain, ...more } };
  const [, name] = /\{\s*(\w+)/.exec(query)!;
  return persist(`${receiptId}, ${name}`, async () => {
    const answer = await call('POST', '/api/graphql', { headers: { ...session }, body });
    if (answer.status !== 200 || answer.body.errors) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  });
}
