import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { rescanChain } from '../../src/domain/operations/operators/rescan.ts';
import { makeDataDir, type Program, until } from '../support/program.ts';
import type { Relay } from '../support/relay.ts';
import type { Dice } from '../support/seeded.ts';
import type { Lie } from './chain.ts';
import type { Service } from './services.ts';
import type { Supervised } from './supervised.ts';
import type { World } from './world.ts';

/** How often each fault is chosen. Those that start processes cost seconds. */
const WEIGHTS = {
  ...{ killServer: 4, killWorker: 4, killBoth: 2, stopServer: 3, stopWorker: 3, secondServers: 2, secondWorker: 2 },
  ...{ killDatabase: 4, stopDatabase: 4, cutDatabase: 4, hangDatabase: 4, fullDisk: 4 },
  ...{ killRedis: 4, stopRedis: 3, cutRedis: 3, cutRpc: 4, hangRpc: 3, slowRpc: 4, errs: 4 },
  ...{ omits: 3, invents: 4, lags: 4, reorganize: 8, clockJump: 5 },
};

export type Kind = keyof typeof WEIGHTS;

/** Chooses a fault that this machine permits. */
export function chooseKind(dice: Dice, { disk, clock }: World): Kind {
  const { fullDisk, clockJump } = WEIGHTS;
  return dice.weighted({ ...WEIGHTS, fullDisk: disk.fill ? fullDisk : 0, clockJump: clock ? clockJump : 0 });
}

/** Faults by their name. Each is over once its promise resolves, but for processes that start again. */
export function faultKinds(world: World, dice: Dice): Record<Kind, () => Promise<void>> {
  const { web, worker, database, redis, ways, chain, disk, clock } = world;
  /** For as long as a fault lasts; the clients go on meanwhile. */
  const aWhile = () => pause(150 + dice.below(1_200));
  const stop = async (one: Supervised | Service) => {
    one.signal('SIGSTOP');
    await aWhile();
    one.signal('SIGCONT');
  };
  const kill = async (service: Service) => {
    service.signal('SIGKILL');
    await aWhile();
    await service.restart();
  };
  /** Further processes, for a while. */
  const beside = async (...starts: (() => Program)[]) => {
    const more = starts.map((start) => start());
    await aWhile();
    await aWhile();
    for (const { child } of more) child.kill('SIGKILL');
    await Promise.all(more.map(({ exit }) => exit));
  };
  const away = async (how: 'cut' | 'hang', ...relays: readonly Relay[]) => {
    if (how === 'cut') await Promise.all(relays.map((relay) => relay.cut()));
    else for (const relay of relays) relay.hang();
    await aWhile();
    await Promise.all(relays.map((relay) => relay.comeBack()));
  };
  const lie =
    (what: Lie, both = dice.chance(0.5)) =>
    async () => {
      chain.lie(what, both);
      await aWhile();
      chain.lie(null);
    };
  const serveBeside = async () => {
    const port = await findFreePort();
    return () => world.serve({ PORT: String(port), DATA_DIR: makeDataDir() });
  };

  return {
    killServer: () => web.kill(),
    killWorker: () => worker.kill(),
    killBoth: async () => void (await Promise.all([web.kill(), worker.kill()])),
    stopServer: () => stop(web),
    stopWorker: () => stop(worker),
    secondServers: async () => beside(await serveBeside(), await serveBeside()),
    secondWorker: () => beside(() => world.work(makeDataDir())),
    killDatabase: () => kill(database),
    stopDatabase: () => stop(database),
    cutDatabase: () => away('cut', ways.database),
    hangDatabase: () => away('hang', ways.database),
    // The journal is written while the database is away.
    async fullDisk() {
      disk.fill!();
      await away('cut', ways.database);
      disk.free();
    },
    killRedis: () => kill(redis),
    stopRedis: () => stop(redis),
    cutRedis: () => away('cut', ways.redis),
    cutRpc: () => away('cut', ...chain.ways),
    hangRpc: () => away('hang', ...chain.ways),
    slowRpc: lie('drags', true),
    errs: lie('errs'),
    // A node that omits logs until they are deep enough has hidden them: the operator has the blocks read again.
    async omits() {
      const { client } = chain.local.chain;
      const from = Number(await client.getBlockNumber());
      await lie('omits')();
      const to = Number(await client.getBlockNumber()) + 1;
      await until(async () => {
        await chain.local.control.mine({ blocks: 1 });
        const range = { fromBlock: from - 3, toBlock: to };
        const { toBlock } = await rescanChain(world.setup.deps, null, range).catch(() => ({ toBlock: 0 }));
        return toBlock >= to;
      });
    },
    invents: lie('invents'),
    lags: lie('lags'),
    reorganize: () => chain.reorganize(1 + dice.below(dice.chance(0.2) ? 12 : 3)),
    async clockJump() {
      clock!.jump(dice.pick([-3_600, -60, 60, 3_600]));
      // Processes notice within a second.
      await pause(1_000);
      await aWhile();
      clock!.jump(0);
    },
  };
}
