import type { Hash, Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import {
  hashSpendPermission,
  type SpendPermission,
  spendPermissionTypedData,
} from '../../../../base/chain/spend-permissions.ts';
import { newId } from '../../../../base/core/ids.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import type { SpenderKey } from '../../../../base/onchain/spender/spender-key.ts';
import type { Deps } from '../../../../base/platform/deps.ts';
import type { Period } from '../../plans/period.ts';
import { sealSignature } from '../signature-encryption.ts';
import { SubscriptionSchema } from '../subscription.entity.ts';

/** A permission that a customer has signed, and the id of its subscription. */
export interface Signed {
  readonly id: string;
  readonly permission: SpendPermission;
  readonly hash: Hash;
  readonly signature: Hex;
}

/** Signs a permission with the account's key, or its owner's. */
export async function signPermission(
  chainId: number,
  { manager }: Pick<SpenderKey, 'manager'>,
  account: PrivateKeyAccount,
  permission: SpendPermission,
): Promise<Signed> {
  const signature = await account.signTypedData(spendPermissionTypedData(chainId, manager, permission));
  return {
    id: newId('sub', Date.now()),
    permission,
    hash: hashSpendPermission(chainId, manager, permission),
    signature,
  };
}

export interface Terms {
  readonly merchant: { readonly wallet: Wallet; readonly planId: string };
  readonly priceCents: number;
  readonly period: Period;
}

/** Writes subscriptions directly to the database, due at the start of their permissions. */
export async function bookSubscriptions(
  { db: { orm }, settings, chain }: Pick<Deps, 'db' | 'settings' | 'chain'>,
  signed: readonly Signed[],
  { merchant, priceCents, period }: Terms,
): Promise<void> {
  const rows = signed.map(({ id, permission, hash, signature }) => ({
    merchant: merchant.wallet,
    id,
    planId: merchant.planId,
    customer: permission.account,
    priceCents,
    period,
    chainId: chain.chainId,
    token: permission.token,
    permission,
    permissionHash: hash,
    sealedSignature: sealSignature(settings, id, signature),
    status: 'active' as const,
    chargeCount: 0,
    totalChargedCents: 0,
    attempts: 0,
    nextChargeAt: permission.start * 1000,
    createdAt: 1,
    updatedAt: 1,
  }));
  if (rows.length > 0) await orm.em.fork().insertMany(SubscriptionSchema, rows);
}
