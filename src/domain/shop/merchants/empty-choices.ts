import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { query } from '../../../base/platform/postgres/query.ts';

type ChoiceDeps = Pick<Deps, 'db' | 'chains'>;

const EMPTY = query(
  'merchants-with-empty-choice',
  (db, $: { accepted: string }) =>
    db
      .selectFrom('Merchant as m')
      .select('m.wallet')
      .where(({ ref }) => {
        const choice = sql`${ref('m.shop')} -> 'paymentTokens'`;
        return sql<boolean>`jsonb_typeof(${choice}) = 'array' and not exists (
          select from jsonb_array_elements(${choice}) as chosen
           where ${$.accepted}::jsonb @> jsonb_build_array(chosen))`;
      })
      .orderBy('m.createdAt')
      .orderBy('m.wallet'),
  { slow: true },
);

/**
 * The merchants that have chosen only tokens that the server does not accept (any more), the oldest first. They take no
 * payments: a token that a merchant has not chosen is never offered in its place.
 */
export async function listEmptyChoices({ db, chains }: ChoiceDeps): Promise<Wallet[]> {
  const accepted = chains.flatMap(({ chainId, tokens }) => tokens.map(({ symbol: token }) => ({ chainId, token })));
  return (await db.run(EMPTY, { accepted: JSON.stringify(accepted) })).map(({ wallet }) => wallet);
}

/** How many of them a line of the log names. */
const NAMED = 20;

/** Logs `alert: 'shop_takes_nothing'` at the start, if there are such merchants. Waits for nothing. */
export function warnOfEmptyChoices(deps: ChoiceDeps & Pick<Deps, 'log'>): void {
  listEmptyChoices(deps).then(
    (wallets) => {
      if (wallets.length === 0) return;
      const fields = { alert: 'shop_takes_nothing', merchants: wallets.length, wallets: wallets.slice(0, NAMED) };
      deps.log.warn(fields, 'shops have chosen only tokens that this server does not accept');
    },
    (error) => logFailure(deps.log, error, 'choices of tokens not checked'),
  );
}
