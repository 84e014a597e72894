import { LRUCache } from 'lru-cache';
import { boundedCache } from '../core/caches.ts';
import type { Caller } from '../core/caller.ts';

/** How many texts one owner may register, and their length together. */
const TEXTS_OF_OWNER = 200;
const CHARACTERS_OF_OWNER = 200_000;
/** How many owners keep their texts; the least recently used are evicted. */
const OWNERS = 1_000;

/** Texts that clients registered by their hash (automatic persisted queries). They are lost when the process ends. */
export interface RegisteredQueries {
  find(owner: string, hash: string): string | undefined;
  add(owner: string, hash: string, text: string): void;
}

/**
 * Creates a store in memory. Each owner has a part of its own, so that no caller evicts the texts of another merchant.
 */
export function createRegisteredQueries(): RegisteredQueries {
  const owners = boundedCache<string, LRUCache<string, string>>({ max: OWNERS });
  return {
    find: (owner, hash) => owners.get(owner)?.get(hash),
    add(owner, hash, text) {
      const texts =
        owners.get(owner) ??
        new LRUCache<string, string>({
          max: TEXTS_OF_OWNER,
          maxSize: CHARACTERS_OF_OWNER,
          sizeCalculation: ({ length }) => Math.max(1, length),
        });
      texts.set(hash, text);
      owners.set(owner, texts);
    },
  };
}

/**
 * Whose texts a caller registers and runs: its merchant's. Wallets without a merchant share one part, because anyone
 * can make a wallet. Null for callers that cannot register: anonymous ones, pages, and keys that run trusted documents
 * only.
 */
export function queryOwner(caller: Caller): string | null {
  if (caller.kind === 'developer') return caller.trustedOnly ? null : caller.merchant;
  return caller.kind === 'session' ? (caller.merchant ?? 'wallets') : null;
}
