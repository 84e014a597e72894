import { privateKeyToAccount } from 'viem/accounts';
import { toWallet } from '../../src/base/chain/address.ts';
import type { Chain } from '../../src/base/chain/client.ts';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { claimTypedData } from '../../src/domain/payments/matching/claim.ts';
import { ask } from '../graphql/ask.ts';
import type { TestServer } from '../support/server.ts';

/** The amount and the address of a payment. */
export interface Quote {
  readonly chainId: number;
  readonly token: string;
  readonly payTo: Wallet;
  readonly amount: string;
}

const QUOTE = `mutation ($id: ID!, $token: String!, $chainId: SafeInt) {
  quotePayment(receiptId: $id, token: $token, chainId: $chainId) { chainId token payTo amount } }`;
const SUBMIT = `mutation ($id: ID!, $hash: Hex!, $chainId: SafeInt, $signer: Wallet, $signature: Hex) {
  submitTransaction(receiptId: $id, transactionHash: $hash, chainId: $chainId, signer: $signer, signature: $signature) {
    status } }`;

/** The steps of the buyer whose wallet is the chain's test wallet, over GraphQL and with real transfers. */
export function buyerOf(server: TestServer, merchant: Wallet, session: Record<string, string>) {
  const account = privateKeyToAccount(localAccount('buyer').privateKey);
  const signer = toWallet(account.address);

  async function quote(id: string, token = 'USDC', chainId?: number): Promise<Quote> {
    const { body } = await ask(server, session, QUOTE, { id, token, chainId });
    if (!body.data?.quotePayment) throw new Error(JSON.stringify(body.errors));
    return body.data.quotePayment;
  }

  const send = (on: Chain, { token, payTo }: Quote, amount: bigint) =>
    payFromTestWallet(on, { token, to: payTo, amount });

  /** Reports a transaction, without a signature. */
  const report = (id: string, hash: string, chainId: number) => ask(server, session, SUBMIT, { id, hash, chainId });

  return {
    wallet: signer,
    quote,
    send,
    report,
    /** Sends any amount to a quote's address, and says by a signature which receipt it pays. */
    async payPart(on: Chain, id: string, to: Quote, amount: bigint): Promise<`0x${string}`> {
      const hash = await send(on, to, amount);
      const facts = { merchant, receiptId: id, transactionHash: hash };
      const signature = await account.signTypedData(claimTypedData(on.chainId, facts) as never);
      const { body } = await ask(server, session, SUBMIT, { id, hash, chainId: on.chainId, signer, signature });
      if (body.errors) throw new Error(JSON.stringify(body.errors));
      return hash;
    },
  };
}
