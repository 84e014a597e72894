/**
 * A charging worker in a separate process, which a test can kill. It waits for input on stdin, makes `calls` concurrent
 * batch calls, prints their reports and exits. With `calls: 0` it repeats batches until it is killed.
 */
import { once } from 'node:events';
import { entities } from '../../../../app/entities.ts';
import { createChain } from '../../../../base/chain/client.ts';
import { localAccount } from '../../../../base/chain/local-accounts.ts';
import { defaultTokens } from '../../../../base/chain/tokens.ts';
import type { SpendersDeps } from '../../../../base/onchain/spender/spender.ts';
import { createLocalBus } from '../../../../base/platform/bus.ts';
import { createDb } from '../../../../base/platform/db.ts';
import type { Settings } from '../../../../base/platform/deps.ts';
import { createLog } from '../../../../base/platform/log/log.ts';
import { createOrm } from '../../../../base/platform/orm.ts';
import { moneyOnItsWay } from '../../../reports/underway/money-on-its-way.ts';
import { chargeDueSubscriptions } from '../charge-batch.ts';

/** The configuration from the test: JSON in the environment variable `CHARGING`. */
export interface ChargingOrders {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly keyEncryptionKey: string;
  readonly manager: string;
  readonly chainId: number;
  /** Number of concurrent calls; 0: repeat until killed. */
  readonly calls: number;
  /** The error of the process's clock. */
  readonly clockShiftMs: number;
}

const { databaseUrl, rpcUrl, keyEncryptionKey, manager, chainId, calls, clockShiftMs } = JSON.parse(
  process.env.CHARGING as string,
) as ChargingOrders;
const log = createLog('error');
const orm = await createOrm(databaseUrl, entities);
const chain = createChain({ chainId, rpcUrl, tokens: defaultTokens(chainId), confirmations: 2 });
const deps: SpendersDeps = {
  settings: {
    chainId,
    furtherChains: [],
    databaseSessionUrl: databaseUrl,
    keyEncryptionKey,
    spenderPrivateKey: localAccount('spender').privateKey,
    previousSpenderKeys: [],
    spendPermissionManager: manager,
    maxFeeGwei: null,
  } as unknown as Settings,
  db: createDb(databaseUrl, orm, log),
  // No receipt of these charges has a webhook, so nothing is ever enqueued.
  bus: createLocalBus(),
  chain,
  chains: [chain],
  clock: () => Date.now() + clockShiftMs,
  moneyOnItsWay,
  log,
};

process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (;;) {
  const reports = await Promise.all(Array.from({ length: calls || 1 }, () => chargeDueSubscriptions(deps)));
  if (calls === 0) continue;
  process.stdout.write(`${JSON.stringify(reports.map(({ processed, succeeded }) => ({ processed, succeeded })))}\n`);
  process.exit(0);
}
