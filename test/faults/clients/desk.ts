import { setTimeout as pause } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import { type Answer, caller } from '../../support/http.ts';
import type { Dice } from '../../support/seeded.ts';
import type { Market, Shop } from '../market.ts';

/** A refused connection, a timeout, or an answer that says to try again. */
const RETRY_MS = 100;

/** What all clients of a round use. */
export interface Desk extends Shop {
  readonly world: Market;
  readonly webhookUrl: string;
  readonly faults: string[];
  /** False once the round ends. */
  isOpen(): boolean;
  /**
   * Sends a request until `accepts` has a result of the answer. A request without an answer, or with one that says to
   * try again, is sent again. Undefined if the round ends before.
   */
  persist<T>(
    what: string,
    method: string,
    path: string,
    request: { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown },
    accepts: (answer: Answer) => T | undefined,
  ): Promise<T | undefined>;
  /** Repeats a task until it has a result; an error counts as none. Undefined if the round ends before. */
  retry<T>(task: () => Promise<T | undefined>): Promise<T | undefined>;
  pay(to: Wallet, amount: bigint): Promise<Hex>;
  readonly dice: Dice;
}

/** Answers below 500 after which a client repeats its request: the time or the chain may change them. */
const AGAIN = /rate_limited|try again|is not known to the chain|invalid_signature|split_required/;

export function openDesk(world: Market, shop: Shop, webhookUrl: string, dice: Dice): Desk & { close(): void } {
  const call = caller(world.url);
  const faults: string[] = [];
  let open = true;

  async function retry<T>(task: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      const result = await task().catch(() => undefined);
      if (result !== undefined || !open) return result;
      await pause(RETRY_MS);
    }
  }

  return {
    ...{ ...shop, world, webhookUrl, faults, dice, retry },
    isOpen: () => open,
    close() {
      open = false;
    },
    persist: (what, method, path, { headers, body }, accepts) =>
      retry(async () => {
        const answer = await call(method, path, { headers: { ...headers }, body }).catch((error: unknown) => {
          if (/Not what the API document says/.test(String(error))) faults.push(`${what}: ${error}`);
          throw error;
        });
        const accepted = accepts(answer);
        const said = JSON.stringify(answer.body);
        const isRefused = answer.status >= 400 && answer.status <= 500 && !AGAIN.test(said);
        if (accepted === undefined && isRefused) faults.push(`${what}: ${method} ${path} ${answer.status} ${said}`);
        return accepted;
      }),
    pay: (to, amount) => world.chain.pay(to, amount),
  };
}
