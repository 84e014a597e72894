import { openWallet } from '../../../base/onchain/spender/spender-key.ts';
import { createSettler } from '../../settlement/shares/settle.ts';
import type { World } from './world.ts';

/** Deploys every split that is not on the chain yet, with confirmations. Settles nothing. */
export async function deployAll(world: World): Promise<void> {
  const settle = createSettler(world.deps, openWallet('settlement', world.deps.settings.settlementPrivateKey!));
  await settle(0);
  await world.mine(world.chain.confirmations);
  await settle(0);
}
