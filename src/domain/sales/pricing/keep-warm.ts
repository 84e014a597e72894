import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { keepKeys } from '../../access/keys/find.ts';
import { onVersionRaised } from '../../shop/merchants/version.ts';
import { keepSettings } from './settings.ts';

/** How much is kept: of the keys that were used last, their merchants, and the first items of each. */
const KEYS = 2_000;
const MERCHANTS = 500;
const ITEMS_EACH = 1_000;
const ITEMS = 5_000;

/** How many merchants are read at once, beside the requests. */
const AT_ONCE = 5;
/** What other processes change is read after this time at the latest. */
const EVERY_MS = 60_000;
/** What this process changes is read after this time: it prices no order from older data. */
const CHANGED_MS = 5_000;
/** The start waits no longer for the first pass, which then goes on. */
const START_MS = 2_000;

const VERSIONS = query('versions-of-merchants', (db, $: { merchants: readonly Wallet[] }) =>
  db
    .selectFrom('Merchant')
    .select(['wallet', 'version'])
    .where('wallet', '=', sql<Wallet>`any(${$.merchants}::text[])`),
);

type WarmDeps = Pick<Deps, 'db' | 'settings' | 'log'>;

/**
 * Keeps in memory what orders need while the database is away: the keys that were used last, and the settings and items
 * of their merchants, also if this process has taken no order yet. Repeats until it is stopped.
 */
export async function keepWarm(deps: WarmDeps): Promise<{ stop(): void }> {
  /** The version of each merchant that was read, and the number of its items. */
  let known = new Map<Wallet, { readonly version: number; readonly items: number }>();
  let running: Promise<void> | null = null;
  let stopped = false;

  async function pass(): Promise<void> {
    const merchants = (await keepKeys(deps.db, KEYS)).slice(0, MERCHANTS);
    const versions = await deps.db.run(VERSIONS, { merchants });
    const current = new Map(versions.map(({ wallet, version }) => [wallet, version]));
    const next: typeof known = new Map();
    let room = ITEMS;
    for (let at = 0; at < merchants.length && room > 0 && !stopped; at += AT_ONCE) {
      const each = Math.min(ITEMS_EACH, room);
      const read = async (merchant: Wallet) => {
        const old = known.get(merchant);
        const kept = old && old.version === current.get(merchant) ? old : await keepSettings(deps, merchant, each);
        if (kept === null) return;
        next.set(merchant, kept);
        room -= kept.items;
      };
      await Promise.all(merchants.slice(at, at + AT_ONCE).map(read));
    }
    known = next;
  }

  const passOnce = () => {
    running ??= pass()
      .catch((error: Error) => {
        if (!stopped) logFailure(deps.log, error, 'settings and items are not kept for an outage');
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  /** Merchants that this process has changed. */
  const changed = new Set<Wallet>();
  onVersionRaised(deps.db, (merchant) => {
    if (known.has(merchant)) changed.add(merchant);
  });
  const again = async () => {
    const merchants = [...changed];
    changed.clear();
    for (const merchant of merchants) {
      const kept = await keepSettings(deps, merchant, ITEMS_EACH).catch(() => null);
      // Without it, the next pass reads the merchant.
      if (kept === null) known.delete(merchant);
      else known.set(merchant, kept);
    }
  };
  await Promise.race([passOnce(), waitFor(START_MS)]);
  const timer = setInterval(passOnce, EVERY_MS);
  timer.unref();
  const changes = setInterval(again, CHANGED_MS);
  changes.unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
      clearInterval(changes);
    },
  };
}

const waitFor = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });
