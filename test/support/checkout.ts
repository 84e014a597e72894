import { createChain } from '../../src/base/chain/client.ts';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { defaultTokens } from '../../src/base/chain/tokens.ts';
import { LOCAL_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import type { Call } from './http.ts';

type Shop = { readonly call: Call; readonly auth: Readonly<Record<string, string>> };

/** Orders from the demo merchant's catalog; the receipt's record. */
export async function placeOrder({ call, auth }: Shop, body: object = {}): Promise<{ receiptId: string }> {
  const answer = await call('POST', '/api/orders', {
    headers: auth,
    body: { items: [{ sku: 'MUG-STONE', qty: 2 }], jurisdictionCode: 'US-CA-LA', ...body },
  });
  if (answer.status !== 200) throw new Error(`The order was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.receipt;
}

/** The receipt's status, as the contract's endpoint tells it. */
export async function readStatus({ call, auth }: Shop, receiptId: string): Promise<string> {
  const { body } = await call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: auth });
  return body.status;
}

/** What the receipt's page asks its buyer to send. */
export interface Request {
  readonly token: string;
  readonly payTo: Wallet;
  readonly amount: string;
}

/** The model that the markup of a payment page carries for its script: of this version, or of the one before. */
export function modelIn(page: string) {
  const [, text = '', escaped = ''] = /data-portal=(?:'([^']*)'|"([^"]*)")/.exec(page) ?? [];
  return JSON.parse(text || unescaped(escaped)).model;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Reads what to pay from the receipt's page, as its script does. */
export async function readRequest({ call }: Pick<Shop, 'call'>, receiptId: string): Promise<Request> {
  const { body: page } = await call('GET', `/portal/${receiptId}`);
  const { quote } = modelIn(page);
  return { token: quote.token, payTo: quote.payTo.toLowerCase(), amount: quote.amount };
}

/** Pays on the chain itself, whether the server runs or not. */
export function payOnChain(rpcUrl: string, { token, payTo, amount }: Request): Promise<string> {
  const tokens = defaultTokens(LOCAL_CHAIN_ID);
  const chain = createChain({ chainId: LOCAL_CHAIN_ID, rpcUrl, tokens, confirmations: 0 });
  return payFromTestWallet(chain, { token, to: payTo, amount: BigInt(amount) });
}
