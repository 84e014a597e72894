import { listMerchants } from '../merchants/find.ts';
import { registerMerchant } from '../merchants/register.ts';
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
