import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../src/chain/test/anvil.ts';
import { caller } from '../support/http.ts';
import { makeDataDir, type Program, runQuittance, until } from '../support/program.ts';
import { openReceiver } from '../support/receiver.ts';
import { openRelay } from '../support/relay.ts';
import { Dice } from '../support/seeded.ts';
import { freePort, startTestServer } from '../support/server.ts';
import { faultsOf } from './history.ts';
import { openClients } from './shop.ts';
import { Supervised } from './supervised.ts';

/** `npm run test:faults` sets both. The short form kills the server and the worker, and cuts the database. */
const rounds = Number(process.env.FAULT_ROUNDS ?? 1);
const seed = Number(process.env.FAULT_SEED ?? 1013);
/** How many faults there are in a round, before its history is compared. */
const FAULTS = process.env.FAULT_ROUNDS ? 4 : 3;
const STOCK = 100_000;
const CLIENTS = 3;

const KINDS = {
  ...{ killServer: 4, killWorker: 4, killBoth: 2, stopServer: 2, stopWorker: 2, secondServer: 2, secondWorker: 2 },
  ...{ cutDatabase: 3, hangDatabase: 2, cutRedis: 2, cutRpc: 3, hangRpc: 2 },
} as const;

test('whatever is killed, stopped or cut, nothing acknowledged is lost or doubled', {
  timeout: 240_000 + rounds * 180_000,
}, async () => {
  const chain = await startTestChain();
  onTestFinished(() => chain.stop());
  const server = await startTestServer({ env: { RPC_URL: chain.rpcUrl } });
  onTestFinished(() => server.stop());
  const [database, rpc, redis] = [
    await openRelay(server.deps.settings.databaseUrl),
    await openRelay(chain.rpcUrl),
    await openRelay(inject('redisUrl')),
  ];
  const receiver = await openReceiver();
  const merchant = await server.merchant();
  const item = { sku: 'CUP', name: 'Cup', priceUsd: 3, stockQty: STOCK };
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, RPC_URL: rpc.url, CONFIRMATIONS: '2' },
    ...{ LOG_LEVEL: 'fatal', RATE_LIMITS: 'off', JWT_SECRET: 's'.repeat(40) },
    KEY_ENCRYPTION_KEY: server.deps.settings.keyEncryptionKey!,
  };
  const [serverDir, workerDir] = [makeDataDir(), makeDataDir()];
  const serve = (own: Record<string, string> = { PORT: String(port), DATA_DIR: serverDir }) =>
    runQuittance(['serve', '--no-worker'], { env: { ...env, ...own } });
  const work = (dataDir = workerDir) => runQuittance(['worker'], { env: { ...env, DATA_DIR: dataDir } });
  const [web, worker] = [new Supervised(() => serve()), new Supervised(() => work())];
  const all = [web, worker];
  const isUp = () =>
    caller(url)('GET', '/readyz?for=orders').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isUp, { timeoutMs: 120_000 });

  const dice = new Dice(seed);
  /** For as long as a fault lasts; the clients go on meanwhile. */
  const aWhile = () => pause(200 + dice.below(2_500));
  const stop = async (one: Supervised) => {
    one.signal('SIGSTOP');
    await aWhile();
    one.signal('SIGCONT');
  };
  /** Further processes, for a while. */
  const beside = async (...starts: (() => Program)[]) => {
    const more = starts.map((start) => start());
    await aWhile();
    for (const { child } of more) child.kill('SIGKILL');
    await Promise.all(more.map(({ exit }) => exit));
  };
  const away = async (relay: typeof database, how: 'cut' | 'hang') => {
    if (how === 'cut') await relay.cut();
    else relay.hang();
    await aWhile();
    await relay.comeBack();
  };
  const faults: Record<keyof typeof KINDS, () => Promise<void>> = {
    killServer: () => web.kill(),
    killWorker: () => worker.kill(),
    killBoth: async () => void (await Promise.all(all.map((one) => one.kill()))),
    stopServer: () => stop(web),
    stopWorker: () => stop(worker),
    secondServer: async () => {
      const [one, two] = [await freePort(), await freePort()];
      const at = (free: number) => () => serve({ PORT: String(free), DATA_DIR: makeDataDir() });
      await beside(at(one), at(two));
    },
    secondWorker: () => beside(() => work(makeDataDir())),
    cutDatabase: () => away(database, 'cut'),
    hangDatabase: () => away(database, 'hang'),
    cutRedis: () => away(redis, 'cut'),
    cutRpc: () => away(rpc, 'cut'),
    hangRpc: () => away(rpc, 'hang'),
  };

  const orders: Awaited<ReturnType<typeof openClients>>['orders'] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const played: string[] = [];
      const clients = openClients({
        ...{ url, rpcUrl: chain.rpcUrl, merchant, webhookUrl: receiver.url, clients: CLIENTS },
        seed: seed * 10_000 + round,
      });
      for (let i = 0; i < FAULTS; i++) {
        const kind = dice.weighted(KINDS);
        played.push(kind);
        await faults[kind]();
        // The next fault meets work that is under way.
        const before = clients.orders.length;
        await until(() => clients.orders.length > before + CLIENTS, { timeoutMs: 120_000 });
      }
      await clients.close();
      orders.push(...clients.orders);
      const compare = async () => {
        await chain.control.mine({ blocks: 1 });
        return faultsOf(server, merchant, { orders, webhooks: receiver.received, stock: STOCK });
      };
      let found = await compare();
      const settled = until(
        async () => {
          found = await compare();
          return found.length === 0;
        },
        { timeoutMs: 120_000 },
      );
      await settled.catch(() => {});
      expect([...found, ...clients.faults], `seed ${seed}, round ${round}: ${played.join(', ')}`).toEqual([]);
      if (rounds > 1) console.log(`round ${round}: ${played.join(', ')}: ${clients.orders.length} orders`);
    }
  } finally {
    await Promise.all(all.map((one) => one.end()));
  }
  const paid = orders.filter(({ payment }) => payment !== null).length;
  if (rounds > 1)
    console.log(`${rounds} rounds from seed ${seed}: ${orders.length} orders, ${paid} paid, nothing found`);
});
