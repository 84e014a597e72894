import { registerMerchant } from '../merchants/register.ts';
import { onGround } from './ground.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

/** `quittance merchant create` */
export async function merchantCreate(options: {
  wallet: string;
  name: string;
  brand?: string;
  json?: boolean;
}): Promise<void> {
  const merchant = await onGround((deps) =>
    registerMerchant(deps, { wallet: walletOf(options.wallet), name: options.name, brandKey: options.brand }),
  );
  const { wallet, name, brandKey, createdAt } = merchant;
  print({ wallet, name, brandKey, createdAt }, options.json, [`Registered ${name} (${wallet})`]);
}
