import { walk } from '../../src/app/cli/demo.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { accessTables } from './tables/access.ts';
import { chainTables } from './tables/chains.ts';
import { operatorTables } from './tables/operation.ts';
import { refusalTables } from './tables/refusals.ts';
import { statusTables } from './tables/statuses.ts';

/** Every generated part of the documents, by the name of its marker. */
export const tables: Readonly<Record<string, () => string>> = {
  walk: () =>
    `\`\`\`text\n${walk(
      { merchant: '0x…' as Wallet, key: 'qk_…', planId: 'plan_…' },
      { url: 'http://localhost:4000', localRpcUrl: 'http://127.0.0.1:2…', chainId: 31337 },
    )
      .replace(/^\n+|\s+$/g, '')
      .replace(/^ {2}/gm, '')}\n\`\`\``,
  ...chainTables,
  ...statusTables,
  ...accessTables,
  ...refusalTables,
  ...operatorTables,
};
