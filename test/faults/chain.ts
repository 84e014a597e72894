import { setTimeout as pause } from 'node:timers/promises';
import { type Hex, keccak256, numberToHex, pad } from 'viem';
import { onTestFinished } from 'vitest';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { startTestChain, type TestChain } from '../../src/base/chain/test/anvil.ts';
import { type NodeBehaviour, openNode } from '../../src/base/chain/test/node.ts';
import { transferCall } from '../../src/base/chain/transfer-call.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { until } from '../support/program.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import type { Dice } from '../support/seeded.ts';

/** What a node may do for a while. */
export type Lie = 'omits' | 'invents' | 'lags' | 'errs' | 'drags';

/** A chain with two endpoints that can be cut off, and of which the first one can lie. */
export interface FaultChain {
  readonly local: TestChain;
  readonly ways: readonly Relay[];
  /** Lets endpoints lie: the first one, or both. */
  lie(what: Lie | null, both?: boolean): void;
  /** Sends USDC from the wallet of all buyers. Returns the hash. */
  pay(to: Wallet, amount: bigint): Promise<Hex>;
  /** Runs a task while no buyer pays. */
  inTurn<T>(task: () => Promise<T>): Promise<T>;
  /** Replaces the newest blocks. All of their transactions come back in other blocks, some of them later. */
  reorganize(depth: number): Promise<void>;
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Starts a chain; `chainId` is the first local one by default. */
export async function openFaultChain(dice: Dice, chainId?: number): Promise<FaultChain> {
  const local = await startTestChain([], chainId);
  onTestFinished(() => local.stop());
  const lies = liesOf(local, dice);
  const { control } = local;
  const token = local.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const buyer = localAccount('buyer', 2);
  const sender = createSender(local.chain, buyer.privateKey);
  await mintTestTokens(local.chain, 'USDC', buyer.address, 10n ** 15n);

  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const run = turn.then(task, task);
    turn = run.catch(() => {});
    return run;
  };

  const behaviour: { lie: Lie | null; both: boolean } = { lie: null, both: false };
  const endpoints = await Promise.all(
    [0, 1].map((n) =>
      openNode(local.rpcUrl, (call, honest) =>
        behaviour.lie !== null && (n === 0 || behaviour.both)
          ? lies[behaviour.lie](call, honest)
          : Promise.resolve(null),
      ),
    ),
  );
  const ways = await Promise.all(endpoints.map((url) => openRelay(url)));

  const readHeight = async () => Number(await local.chain.client.getBlockNumber({ cacheTime: 0 }));

  /**
   * Waits until anvil mines no block but ours. It still mines what it took from its pool before automine ended, and
   * such a block during a reorganization may keep its logs and lose its state.
   */
  async function finishMining(): Promise<void> {
    for (let own = 0; own < 2; ) {
      const before = await readHeight();
      await control.mine({ blocks: 1 });
      own = (await readHeight()) === before + 1 ? own + 1 : 0;
    }
  }

  /** Throws if a block between two heights does not follow the one before it. */
  async function assertLinked(from: number, to: number): Promise<void> {
    const read = (_: unknown, i: number) => local.chain.client.getBlock({ blockNumber: BigInt(from + i) });
    const blocks = await Promise.all(Array.from({ length: to - from + 1 }, read));
    const torn = blocks.find(({ parentHash }, i) => i > 0 && parentHash !== blocks[i - 1]!.hash);
    if (torn) throw new Error(`block ${torn.number} does not follow the block before it`);
  }

  async function rawsOf(block: number): Promise<Hex[]> {
    const { transactions } = await local.chain.client.getBlock({ blockNumber: BigInt(block) });
    return Promise.all(
      transactions.map((hash) => control.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)),
    ) as Promise<Hex[]>;
  }

  /**
   * Sends transactions again until each is in a block, or another one has its nonce. Besides those that were left out,
   * anvil drops each that is not valid in its new place.
   */
  const bringBack = async (raws: readonly Hex[]) => {
    let missing: string[] = [];
    const sendMissing = async () => {
      missing = [];
      for (const raw of raws) {
        const hash = keccak256(raw);
        if (await local.chain.client.getTransactionReceipt({ hash }).catch(() => null)) continue;
        const send = control.request({ method: 'eth_sendRawTransaction', params: [raw] } as never);
        const refusal = await send.then(() => 'sent', String);
        if (!refusal.includes('nonce too low')) missing.push(`${hash}: ${refusal}`);
      }
      return missing.length === 0;
    };
    await until(sendMissing).catch(() => Promise.reject(new Error(`transactions do not come back: ${missing}`)));
  };

  return {
    local,
    ways,
    lie: (what, both = false) => void Object.assign(behaviour, { lie: what, both }),
    inTurn,
    pay: (to, amount) =>
      inTurn(async () => {
        const { hash, revertReason } = await sender.send(transferCall(token, to, amount));
        if (hash === null) throw new Error(revertReason);
        return hash;
      }),
    reorganize: (depth) =>
      inTurn(async () => {
        // Nothing is mined between reading the blocks and replacing them.
        await control.setAutomine(false);
        let replaced: Hex[] = [];
        try {
          await finishMining();
          const head = await readHeight();
          const blocks = await Promise.all(Array.from({ length: depth }, (_, i) => rawsOf(head - depth + 1 + i)));
          const late = dice.chance(0.4) ? dice.below(3) : 0;
          const kept = blocks.flatMap((raws, i) => raws.map((raw) => [raw, Math.min(depth - 1, i + late)] as const));
          if (dice.chance(0.4)) kept.splice(dice.below(kept.length + 1));
          await control.request({ method: 'anvil_reorg', params: [depth, kept] } as never);
          const code = await control.request({ method: 'eth_getCode', params: [token.address, 'latest'] } as never);
          if ((code as unknown) === '0x') throw new Error('the chain has lost its contracts: its states are gone');
          await assertLinked(head - depth, head);
          replaced = blocks.flat();
        } finally {
          await control.setAutomine(true);
          await control.mine({ blocks: 1 });
        }
        await bringBack(replaced);
      }),
  };
}

type Log = Readonly<Record<string, unknown>>;

/** How far behind a lagging node is. */
const LAG = 5;

/** The behaviour of a node by what it does wrong. */
const liesOf = ({ chain, control }: TestChain, dice: Dice): Record<Lie, NodeBehaviour> => ({
  omits: async ({ method }) => (method === 'eth_getLogs' ? { result: [] } : null),
  async invents({ method }, honest) {
    if (method !== 'eth_getLogs') return null;
    const answer = await honest();
    if (!('result' in answer)) return answer;
    const logs = answer.result as Log[];
    // The same payments once more, under hashes that no block has.
    const made = logs
      .filter(({ topics }) => (topics as string[])[0] === TRANSFER)
      .map((log, i) => ({ ...log, transactionHash: pad(numberToHex(0xbad0000 + i)), logIndex: numberToHex(500 + i) }));
    return { result: [...logs, ...made] };
  },
  async lags({ method, params }) {
    const old = numberToHex((await chain.client.getBlockNumber()) - BigInt(LAG));
    if (method === 'eth_blockNumber') return { result: old };
    if (method !== 'eth_getBlockByNumber' || String(params?.[0]) !== 'latest') return null;
    return { result: await control.request({ method, params: [old, params![1]] } as never) };
  },
  errs: async () => (dice.chance(0.5) ? { error: { code: -32_005, message: 'request limit exceeded' } } : null),
  async drags() {
    await pause(300 + dice.below(1_700));
    return null;
  },
});
