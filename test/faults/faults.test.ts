import { expect, test } from 'vitest';
import { until } from '../support/program.ts';
import { openReceiver } from '../support/receiver.ts';
import { Dice } from '../support/seeded.ts';
import { faultsOf } from './history.ts';
import { chooseKind, faultKinds, type Kind } from './kinds.ts';
import type { Shop } from './market.ts';
import { openClients, type Written } from './round.ts';
import { openWorld } from './world.ts';

/** `npm run long -- faults` sets these. The short form ends the server and the worker, and takes the database away. */
const SHORT: readonly Kind[] = ['killServer', 'killWorker', 'cutDatabase'];
const rounds = Number(process.env.FAULT_ROUNDS ?? SHORT.length);
const seed = Number(process.env.FAULT_SEED ?? 1013);
const only = process.env.FAULT_ONLY?.split(',') as Kind[] | undefined;
const isLong = process.env.FAULT_ROUNDS !== undefined;
const CLIENTS = 3;
/** A shop that has sold much makes each comparison slower. */
const ROUNDS_OF_A_SHOP = 20;
const SETTLED_MS = 120_000;

test('whatever is killed, stopped, cut or lies, nothing acknowledged is lost or doubled', {
  timeout: 300_000 + rounds * 180_000,
}, async () => {
  const dice = new Dice(seed);
  const world = await openWorld(dice, isLong);
  const kinds = faultKinds(world, dice);
  const receiver = await openReceiver();
  const totals = { orders: 0, paid: 0, refunds: 0, charges: 0 };
  let shop: Shop = await world.openShop();
  let written: Written = { orders: [], refunds: [], subscriptions: [] };
  const began = performance.now();

  /** The first faults that were found once everything has had the time to settle. */
  const compare = async (): Promise<string[]> => {
    let found: string[] = ['not compared'];
    const look = async () => {
      await world.chain.local.control.mine({ blocks: 1 });
      found = await faultsOf(world, shop, written, receiver.received).catch((error) => [String(error)]);
      return found.length === 0;
    };
    await until(look, { timeoutMs: SETTLED_MS }).catch(() => {});
    return found;
  };
  try {
    for (let round = 0; round < rounds; round++) {
      if (round % ROUNDS_OF_A_SHOP === 0 && round > 0) {
        shop = await world.openShop();
        written = { orders: [], refunds: [], subscriptions: [] };
        receiver.received.length = 0;
      }
      const before = { ...countOf(written) };
      const kind = isLong ? (only ? dice.pick(only) : chooseKind(dice, world)) : SHORT[round]!;
      const name = `${kind}-${seed}-${round}`;
      const clients = openClients(world, shop, written, { name, webhookUrl: receiver.url, clients: CLIENTS, dice });
      // The fault meets work that is under way, and work goes on after it.
      const go = (steps: number) => until(() => clients.steps() >= steps, { timeoutMs: SETTLED_MS });
      await go(1);
      await kinds[kind]();
      await go(clients.steps() + CLIENTS);
      await clients.close();
      const found = [...(await compare()), ...clients.faults];
      if (found.length > 0)
        console.log(`The worker says:\n${world.worker.log()}\nThe server says:\n${world.web.log()}`);
      expect(found, `seed ${seed}, round ${round}: ${kind}`).toEqual([]);
      const after = countOf(written);
      for (const what of Object.keys(totals) as (keyof typeof totals)[]) totals[what] += after[what] - before[what];
      const seconds = Math.round((performance.now() - began) / 1_000);
      if (isLong) console.log(`round ${round}: ${kind}, ${after.orders - before.orders} orders, ${seconds} s`);
    }
  } finally {
    await Promise.all([world.web.end(), world.worker.end()]);
  }
  if (isLong) console.log(`${rounds} rounds from seed ${seed}: ${JSON.stringify(totals)}, nothing found`);
});

const countOf = ({ orders, refunds, subscriptions }: Written) => ({
  orders: orders.length,
  paid: orders.filter(({ payment }) => payment !== null).length,
  refunds: refunds.filter(({ isRequested }) => isRequested).length,
  charges: subscriptions.filter(({ isCharged }) => isCharged).length,
});
