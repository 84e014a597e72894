import type { Chain } from '../../../base/chain/client.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { PLATFORM } from '../../../base/records/audit/audit-entry.entity.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';

/** A chain, or one token of it. */
export interface PausePlace {
  /** The first chain without it. */
  readonly chainId: number | null;
  /** Symbol; null for the whole chain. */
  readonly token: string | null;
}

/** A token, or a chain, in which no new payments are offered and no subscriptions are charged. Times in epoch ms. */
export interface Pause {
  readonly chainId: number;
  /** Symbol; null for the whole chain. */
  readonly token: string | null;
  readonly reason: string;
  readonly pausedAt: number;
}

/** The stored token of a pause of a whole chain. */
export const WHOLE_CHAIN = '';

/** Whether a token of the chain is paused, by itself or with the whole chain. */
export const isPaused = (paused: readonly string[] | null, symbol: string): boolean =>
  paused !== null && (paused.includes(WHOLE_CHAIN) || paused.includes(symbol));

/** Whether a list of pauses has a token of a chain, by itself or with the whole chain. */
export const isPausedAt = (
  pauses: readonly Pick<Pause, 'chainId' | 'token'>[],
  { chainId, token }: { readonly chainId: number; readonly token: string },
): boolean => pauses.some((pause) => pause.chainId === chainId && (pause.token === null || pause.token === token));

type PauseDeps = AuditDeps & Pick<Deps, 'db' | 'chain' | 'chains'>;

/**
 * Offers a token, or every token of a chain, for no new quotes, and charges no subscription in it. Every process reads
 * this with each quote and each page of charges. Money that is on its way is credited as usual. Pausing again changes
 * the reason. Refuses an unknown chain or token with `invalid_input`. Returns every pause.
 */
export async function pausePayments(deps: PauseDeps, place: PausePlace, reason: string): Promise<Pause[]> {
  const key = keyOf(deps, place);
  await deps.db.transaction(async (uow) => {
    const before = await uow.db
      .selectFrom('PaymentPause')
      .select('reason')
      .where((eb) => eb.and(key))
      .executeTakeFirst();
    const row = { ...key, reason, pausedAt: deps.clock() };
    await uow.db
      .insertInto('PaymentPause')
      .values(row)
      .onConflict((known) => known.columns(['chainId', 'token']).doUpdateSet({ reason }))
      .execute();
    const change = { before: before ? { ...key, reason: before.reason } : null, after: { ...key, reason } };
    await recordAudit(deps, uow, PLATFORM, 'payments.paused', objectOf(key), change);
  });
  return listPauses(deps.db);
}

/** Offers a token, or a chain, again. Ends only the pause of exactly this place. Returns what is still paused. */
export async function resumePayments(deps: PauseDeps, place: PausePlace): Promise<Pause[]> {
  const key = keyOf(deps, place);
  await deps.db.transaction(async (uow) => {
    const [before] = await uow.db
      .deleteFrom('PaymentPause')
      .where('chainId', '=', key.chainId)
      .where('token', '=', key.token)
      .returning(['chainId', 'token', 'reason'])
      .execute();
    if (!before) return;
    const change = { before, after: null };
    await recordAudit(deps, uow, PLATFORM, 'payments.resumed', objectOf(key), change);
  });
  return listPauses(deps.db);
}

interface Key {
  readonly chainId: number;
  readonly token: string;
}

const objectOf = ({ chainId, token }: Key) => ['chain', token ? `${chainId} ${token}` : String(chainId)] as const;

/** A token that the server does not accept (any more) can only be named as it is stored. */
function keyOf(
  deps: { readonly chain: Chain; readonly chains: readonly Chain[] },
  { chainId, token }: PausePlace,
): Key {
  const { chain } = onChain(deps, chainId);
  if (token === null) return { chainId: chain.chainId, token: WHOLE_CHAIN };
  const known = chain.tokens.find(({ symbol }) => symbol.toUpperCase() === token.toUpperCase());
  const symbols = chain.tokens.map(({ symbol }) => symbol).join(', ');
  if (!known) throw refuse('invalid_input', `token must be one of ${symbols}`, { field: 'token' });
  return { chainId: chain.chainId, token: known.symbol };
}

const PAUSES = query('payment-pauses', (db, _: object) =>
  db.selectFrom('PaymentPause').select(['chainId', 'token', 'reason', 'pausedAt']).orderBy('chainId').orderBy('token'),
);

/** Every pause, by chain. */
export async function listPauses(db: Db): Promise<Pause[]> {
  const rows = await db.run(PAUSES, {});
  return rows.map((row) => ({ ...row, token: row.token === WHOLE_CHAIN ? null : row.token }));
}
