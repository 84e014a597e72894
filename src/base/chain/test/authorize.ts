import { randomBytes } from 'node:crypto';
import { encodeFunctionData, type Hex, toHex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Wallet } from '../../core/wallet.ts';
import { toAddress, toWallet } from '../address.ts';
import {
  type Authorization,
  type AuthorizationDomain,
  authorizationAbi,
  authorizationData,
  readAuthorizationDomain,
} from '../authorizations.ts';
import type { Chain } from '../client.ts';
import type { TransactionCall } from '../create2.ts';

/** A buyer with a key and without ether. */
export interface Authorizer {
  readonly account: PrivateKeyAccount;
  readonly wallet: Wallet;
}

export function newAuthorizer(): Authorizer {
  const account = privateKeyToAccount(generatePrivateKey());
  return { account, wallet: toWallet(account.address) };
}

/** A time far ahead of the local chain's clock, Unix seconds. */
const inAnHour = (): bigint => BigInt(Math.floor(Date.now() / 1_000) + 3_600);

/** An authorization with a random nonce, valid for an hour. */
export const authorizationOf = (
  from: Wallet,
  given: Pick<Authorization, 'to' | 'value'> & Partial<Authorization>,
): Authorization => ({ from, validAfter: 0n, validBefore: inAnHour(), nonce: toHex(randomBytes(32)), ...given });

type SignableData = Parameters<PrivateKeyAccount['signTypedData']>[0];

/** Signs an authorization of the chain's USDC. `domain` replaces parts of the token's domain. */
export async function signAuthorization(
  chain: Chain,
  account: PrivateKeyAccount,
  authorization: Authorization,
  domain: Partial<AuthorizationDomain> = {},
): Promise<Hex> {
  const own = (await readAuthorizationDomain(chain, usdcOf(chain)))!;
  return account.signTypedData(authorizationData({ ...own, ...domain }, authorization) as SignableData);
}

export const usdcOf = ({ tokens }: Pick<Chain, 'tokens'>): Wallet =>
  tokens.find(({ symbol }) => symbol === 'USDC')!.address!;

/** The call that cancels a nonce, with the owner's signature. */
export async function cancellation(
  chain: Chain,
  { account, wallet }: Authorizer,
  nonce: Hex,
): Promise<TransactionCall> {
  const token = usdcOf(chain);
  const signature = await account.signTypedData({
    domain: (await readAuthorizationDomain(chain, token))!,
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: toAddress(wallet), nonce },
  });
  const args = [toAddress(wallet), nonce, signature] as const;
  return { to: token, data: encodeFunctionData({ abi: authorizationAbi, functionName: 'cancelAuthorization', args }) };
}
