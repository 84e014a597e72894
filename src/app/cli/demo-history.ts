import { setTimeout as pause } from 'node:timers/promises';
import { prepareLocalChain } from '../../base/chain/local.ts';
import { localAccount } from '../../base/chain/local-accounts.ts';
import { refuse } from '../../base/core/errors.ts';
import { parseInput } from '../../base/core/input.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import { COMMAND_LINE } from '../../base/core/origin.ts';
import type { Wallet } from '../../base/core/wallet.ts';
import { readConfig } from '../../base/platform/config/config.ts';
import { askChain } from '../../base/platform/embedded/anvil.ts';
import { query } from '../../base/platform/postgres/query.ts';
import { runningBaseUrl } from '../../base/platform/running.ts';
import { payWithTestWallet } from '../../domain/payments/paying/quote-payment.ts';
import { acceptInvitation, inviteMember } from '../../domain/people/members/invitations.ts';
import { orderInput } from '../../domain/sales/orders/order.input.ts';
import { placeOrder } from '../../domain/sales/orders/place-order.ts';
import { itemInput } from '../../domain/shop/catalog/item.input.ts';
import { saveItem } from '../../domain/shop/catalog/write-item.ts';
import { configuredRates } from '../../domain/shop/fx/usd-per-token.ts';
import { findMerchant } from '../../domain/shop/merchants/find.ts';
import { registerMerchant } from '../../domain/shop/merchants/register.ts';
import { configureSplit } from '../../domain/shop/splits/configure.ts';
import { work } from '../app.ts';
import type { OpenDeps } from '../deps.ts';
import { ITEMS } from './demo.ts';
import { withDeps } from './open-deps.ts';

const PAYMENTS = 200;
const DAYS = 30;
const DAY_MS = 86_400_000;
/** When the sales of a day begin, before the end of the day. */
const OPEN_MS = 9 * 3_600_000;
const POLL_MS = 50;
/** A day whose payments are not confirmed by then has failed. */
const LIMIT_MS = 60_000;

const MERCHANT = localAccount('buyer', 4).address;
const OWNER = localAccount('demoMerchant').address;
const BUYERS = ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson', 'Margaret Hamilton', 'Hedy Lamarr', 'Maria Klein'];

const PAID = query('demo-paid', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Receipt').select('id').where('merchant', '=', $.merchant).where('status', 'in', ['paid', 'completed']),
);

/** The time of the chain and of all that this command does. It goes on from where it was set. */
function createTime(now: () => number) {
  let [at, since] = [now(), now()];
  return {
    clock: () => at + now() - since,
    set(time: number) {
      [at, since] = [time, now()];
    },
  };
}

/**
 * `quittance demo history`: registers a second merchant on the local chain, and makes 200 payments from its test
 * wallet over the last month of the chain's time. The demo merchant's wallet joins as an owner. Refuses every other
 * chain, a running server, whose workers would record the payments as of today, and a merchant that is there already.
 */
export async function demoHistory(): Promise<void> {
  const config = readConfig();
  if (!isLocalChain(config.chainId) || config.furtherChains.some(({ chainId }) => !isLocalChain(chainId)))
    throw refuse('forbidden', 'A history is made on the local chain only');
  const running = runningBaseUrl(config.dataDir);
  if (running !== null) throw refuse('forbidden', `Stop the server at ${running} first`);
  const end = Date.now();
  const time = createTime(Date.now);
  await withDeps(
    async (deps) => {
      if (await findMerchant(deps.db, MERCHANT)) throw refuse('forbidden', `The merchant ${MERCHANT} is there already`);
      const rpcUrls = [deps.settings, ...deps.settings.furtherChains].map(({ rpcUrl }) => rpcUrl);
      await prepareLocalChain(deps.settings.rpcUrl);
      const setTime = async (at: number) => {
        time.set(at);
        for (const rpcUrl of rpcUrls) {
          await askChain(rpcUrl, 'evm_setTime', [at]);
          await askChain(rpcUrl, 'anvil_mine', ['0x1']);
        }
      };
      try {
        await setTime(end - DAYS * DAY_MS);
        await openShop(deps);
        await sell(deps, (day) => setTime(end - (DAYS - day) * DAY_MS - OPEN_MS));
      } finally {
        await setTime(Date.now());
      }
    },
    { migrates: true, clock: time.clock },
  );
  process.stdout.write(
    `The merchant ${MERCHANT} has a history. Sign in with the demo wallet, and choose it under Account.\n`,
  );
}

async function openShop(deps: OpenDeps): Promise<void> {
  await registerMerchant(deps, { wallet: MERCHANT, name: 'Old Harbour Books' });
  for (const item of ITEMS) await saveItem(deps, MERCHANT, parseInput(itemInput, { ...item, stockQty: -1 }));
  await configureSplit(deps, MERCHANT, {});
  const { token } = await inviteMember(deps, { merchant: MERCHANT, by: MERCHANT }, { role: 'owner', label: 'Demo' });
  await acceptInvitation(deps, OWNER, token);
}

/** Makes the payments, about as many on each day. */
async function sell(deps: OpenDeps, openDay: (day: number) => Promise<void>): Promise<void> {
  const worker = await work(deps);
  try {
    for (let day = 1, paid = 0; day <= DAYS; day += 1) {
      await openDay(day);
      const until = Math.round((PAYMENTS * day) / DAYS);
      for (; paid < until; paid += 1) await buy(deps, paid);
      await untilPaid(deps, until);
      process.stdout.write(`${new Date(deps.clock()).toISOString().slice(0, 10)}  ${until} payments\n`);
    }
  } finally {
    await worker.stop();
  }
}

/** Places the nth order and pays it, as a buyer does. */
async function buy(deps: OpenDeps, n: number): Promise<void> {
  const [firstName = '', lastName = ''] = (BUYERS[n % BUYERS.length] ?? '').split(' ');
  const items = [{ sku: ITEMS[n % ITEMS.length]?.sku, qty: 1 + (n % 3) }];
  const email = `${firstName}@example.com`.toLowerCase();
  const input = parseInput(orderInput({ allowInsecure: false }), { items, firstName, lastName, email });
  const author = { merchant: MERCHANT, keyId: null, actor: COMMAND_LINE.actor };
  const { receipt } = await placeOrder(deps, author, input, null);
  const token = n % 4 === 0 ? 'USDT' : 'USDC';
  const request = { merchant: MERCHANT, receiptId: receipt.id, token, chainId: deps.chain.chainId };
  await payWithTestWallet({ ...deps, readRate: configuredRates(deps) }, request);
}

/** Mines blocks until so many payments of the merchant have their confirmations. */
async function untilPaid(deps: OpenDeps, count: number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    await askChain(deps.settings.rpcUrl, 'anvil_mine', ['0x1']);
    const paid = (await deps.db.run(PAID, { merchant: MERCHANT })).length;
    if (paid >= count) return;
    if (performance.now() > deadline) throw new Error(`Only ${paid} of ${count} payments have their confirmations`);
    await pause(POLL_MS);
  }
}
