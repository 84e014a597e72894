import { testDatabase, testSql } from '../../support/database.ts';
import { makeDataDir } from '../../support/program.ts';
import { runStatement } from '../../support/statement.ts';
import { commands } from './run.ts';

/** The wallet of the shop. */
export const SHOP = `0x${'ab'.repeat(20)}`;

/** An installation whose database has one merchant: its commands, and statements on its database. No server runs. */
export async function openShop() {
  const databaseUrl = await testDatabase();
  const db = await testSql(databaseUrl);
  const run = (name: string, text: string) => runStatement(db, { name, text });
  await run(
    'test-merchant',
    `insert into merchants (wallet, name, brand_key, shop, pricing, version, created_at, updated_at)
     values ('${SHOP}', 'Shop', 'acme', '{}', '{}', 1, 0, 0)`,
  );
  const quittance = commands({
    DATA_DIR: makeDataDir(),
    DATABASE_URL: databaseUrl,
    KEY_ENCRYPTION_KEY: 'a key',
    RPC_URL: 'http://127.0.0.1:1',
  });
  return { run, quittance };
}
