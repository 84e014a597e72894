import { parseInput } from '../../base/core/input.ts';
import { listMerchants } from '../../domain/shop/merchants/find.ts';
import { inviteInput, inviteMerchant } from '../../domain/shop/merchants/invite.ts';
import { admitMerchant } from '../../domain/shop/merchants/newcomer.ts';
import { registerMerchant } from '../../domain/shop/merchants/register.ts';
import { resumeMerchant, suspendMerchant } from '../../domain/shop/merchants/suspend.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

/** `quittance merchant create` */
export async function merchantCreate(options: {
  wallet: string;
  name: string;
  brand?: string;
  json?: boolean;
}): Promise<void> {
  const merchant = await withDeps((deps) =>
    registerMerchant(deps, { wallet: walletOf(options.wallet), name: options.name, brandKey: options.brand }),
  );
  const { wallet, name, brandKey, createdAt } = merchant;
  print({ wallet, name, brandKey, createdAt }, options.json, [`Registered ${name} (${wallet})`]);
}

/** `quittance merchant list`: every merchant, oldest first. */
export async function merchantList(options: { json?: boolean }): Promise<void> {
  const merchants = await withDeps(listMerchants);
  const answer = merchants.map(({ wallet, name, brandKey, createdAt }) => ({ wallet, name, brandKey, createdAt }));
  const lines = answer.map(({ wallet, name, brandKey }) => `${wallet}  ${brandKey}  ${name}`);
  print(answer, options.json, lines.length > 0 ? lines : ['There is no merchant yet.']);
}

/** `quittance merchant invite` */
export async function merchantInvite(options: { hours?: number; note?: string; json?: boolean }): Promise<void> {
  const { id, code, expiresAt } = await withDeps((deps) => inviteMerchant(deps, parseInput(inviteInput, options)));
  print({ id, code, expiresAt }, options.json, [
    `Code    ${code}`,
    `Until   ${new Date(expiresAt).toISOString()}`,
    'One wallet may register a merchant with it. It is shown only this once.',
  ]);
}

/** `quittance merchant admit` */
export async function merchantAdmit(options: { wallet: string; json?: boolean }): Promise<void> {
  const wallet = walletOf(options.wallet);
  await withDeps((deps) => admitMerchant(deps, wallet));
  print({ wallet, newcomer: false }, options.json, [`${wallet} is admitted.`]);
}

/** `quittance merchant suspend` */
export async function merchantSuspend(options: { wallet: string; reason: string; json?: boolean }): Promise<void> {
  const wallet = walletOf(options.wallet);
  const suspension = await withDeps((deps) => suspendMerchant(deps, wallet, options.reason));
  print({ wallet, ...suspension }, options.json, [`${wallet} is suspended.`]);
}

/** `quittance merchant resume` */
export async function merchantResume(options: { wallet: string; json?: boolean }): Promise<void> {
  const wallet = walletOf(options.wallet);
  const suspension = await withDeps((deps) => resumeMerchant(deps, wallet));
  print({ wallet, ...suspension }, options.json, [`${wallet} is no longer suspended.`]);
}
