import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment, Shop } from './environment.ts';
import { startProgram } from './programs.ts';
import { type Comparison, compare, type Round } from './rounds.ts';

/** Webhook deliveries to a local receiver: the worker against a bare `fetch` + HMAC loop, in rounds of `deliveries`. */
export async function compareDeliveries(
  environment: Environment,
  shop: Shop,
  rounds: number,
  deliveries: number,
): Promise<Comparison> {
  const receiver = await startProgram('receiver.ts', process.env);
  const child = fork(fileURLToPath(new URL('webhooks.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning', ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? [])],
    env: {
      ...environment.env,
      HOOK: `http://127.0.0.1:${receiver.port}/hook`,
      MERCHANT: shop.wallet,
      KEY: shop.key,
      KEY_ID: shop.keyId,
      DELIVERIES: String(deliveries),
    },
  });
  const ended = once(child, 'exit');
  const failed = ended.then(() => Promise.reject(new Error('The webhook process ended')));
  failed.catch(() => {});
  const answer = async () => (await Promise.race([once(child, 'message'), failed]))[0] as Round;
  const ask = (what: 'ours' | 'bare') => {
    child.send(what);
    return answer();
  };
  await answer();
  // What runs first runs unoptimised.
  await ask('bare');
  await ask('ours');
  const result = await compare(
    rounds,
    () => ask('ours'),
    () => ask('bare'),
  );
  child.disconnect();
  await ended;
  await receiver.stop();
  return result;
}
