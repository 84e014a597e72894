import { createSender } from '../../chain/sender.ts';
import { createBackoff } from '../../platform/backoff.ts';
import { deploySplits } from '../../settlement/deploy.ts';
import { createFunds } from '../../settlement/funds.ts';
import type { World } from './world.ts';

/** Deploys every split that is not on the chain yet, with confirmations. */
export async function deployAll(world: World): Promise<void> {
  const sender = createSender(world.chain, world.deps.settings.settlementPrivateKey!);
  const deps = { ...world.deps, backoff: createBackoff(Date.now), funds: createFunds(world.deps.log, Date.now) };
  await deploySplits(deps, sender);
  await world.mine(world.chain.confirmations);
  await deploySplits(deps, sender);
}
