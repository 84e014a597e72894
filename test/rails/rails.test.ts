import { expect, test } from 'vitest';
import { until } from '../support/program.ts';
import { Dice } from '../support/seeded.ts';
import { chainContradictions, railFaults } from './ledger.ts';
import { payReceipt, RAILS, type RailPayment, sendDropped } from './pay.ts';
import { openRailWorld, type RailWorld } from './world.ts';

/** `npm run long -- rails` sets these. */
const isLong = process.env.RAIL_PAYMENTS !== undefined;
const wanted = Number(process.env.RAIL_PAYMENTS ?? 24);
const seed = Number(process.env.RAIL_SEED ?? 1013);
const CLIENTS = 8;
/** The payments between two faults. */
const BETWEEN = isLong ? 50 : 6;
const SETTLED_MS = 300_000;

type Fault = keyof ReturnType<typeof faultsOf>;

/** In the short form each of them once, in this order. */
const SHORT: readonly Fault[] = ['killWorker', 'reorganize', 'killServer'];
const WEIGHTS: Record<Fault, number> = { killServer: 1, killWorker: 2, killBoth: 1, reorganize: 4 };

const faultsOf = ({ web, worker, chains, dice }: RailWorld) => ({
  killServer: () => web.kill(),
  killWorker: () => worker.kill(),
  killBoth: async () => void (await Promise.all([web.kill(), worker.kill()])),
  reorganize: () => dice.pick(chains).reorganize(1 + dice.below(dice.chance(0.2) ? 12 : 3)),
});

test('payments on five rails and two chains are each credited once, and settled once, to the base unit', {
  timeout: 600_000 + wanted * 2_000,
}, async () => {
  const world = await openRailWorld(new Dice(seed));
  const { dice, chains } = world;
  const faults = faultsOf(world);
  const payments: RailPayment[] = [];
  const refused: string[] = [];
  const done: Record<string, number> = {};
  let begun = 0;

  async function client(): Promise<void> {
    while (begun < wanted) {
      const number = begun++;
      const dollars = (100 + dice.below(90_000)) / 100;
      await payReceipt(world, `rail-${seed}-${number}`, dollars).then(
        (payment) => payments.push(payment),
        (error) => refused.push(String(error)),
      );
      // The chains also grow by blocks without a payment.
      if (number % CLIENTS === 0)
        await Promise.all(chains.map(({ inTurn, local }) => inTurn(() => local.control.mine({ blocks: 1 }))));
    }
  }

  async function disturb(): Promise<void> {
    for (let count = 1; count * BETWEEN < wanted; count++) {
      await until(() => payments.length + refused.length >= count * BETWEEN, { timeoutMs: 600_000 });
      const fault = isLong ? dice.weighted(WEIGHTS) : SHORT[(count - 1) % SHORT.length]!;
      done[fault] = (done[fault] ?? 0) + 1;
      await faults[fault]();
      await expectSoundChains(fault);
      if (isLong) console.log(`${payments.length} paid, ${fault}, ${Math.round(performance.now() / 1_000)} s`);
    }
  }

  /** While a block is mined, anvil shows its state before its logs. */
  async function expectSoundChains(after: Fault): Promise<void> {
    let found: string[] = [];
    const isSound = async () => {
      found = await chainContradictions(world);
      return found.length === 0;
    };
    await until(isSound).catch(() => expect(found, `seed ${seed}, after ${after}`).toEqual([]));
  }

  try {
    await Promise.all([...Array.from({ length: CLIENTS }, client), disturb()]);
    const dropped = await sendDropped(world, payments);
    let found: string[] = [];
    const look = async () => {
      await Promise.all(chains.map(({ local }) => local.control.mine({ blocks: 1 })));
      found = await railFaults(world, payments).catch((error) => [String(error)]);
      return found.length === 0;
    };
    await until(look, { timeoutMs: SETTLED_MS }).catch(() => {});
    if (found.length + refused.length > 0)
      console.log(`The worker says:\n${world.worker.log()}\nThe server says:\n${world.web.log()}`);
    expect([...refused, ...found], `seed ${seed}`).toEqual([]);
    expect(payments).toHaveLength(wanted);
    const rails = RAILS.map((rail) => [rail, payments.filter((one) => one.rail === rail).length]);
    if (isLong)
      console.log(
        `${wanted} payments from seed ${seed}:`,
        Object.fromEntries(rails),
        done,
        `${dropped} sent again`,
        'nothing found',
      );
  } finally {
    await Promise.all([world.web.end(), world.worker.end()]);
  }
});
