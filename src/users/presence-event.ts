import { newUuid } from '../core/ids.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Bus } from '../platform/bus.ts';
import type { Deps } from '../platform/deps.ts';
import type { UserRecord } from './record.ts';

/** Somebody came, changed something about itself, or went, for all to see. Going private while live is going. */
export interface PresenceEvent {
  readonly kind: 'joined' | 'changed' | 'left';
  readonly wallet: Wallet;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The user as it then was; of one that left, not live and nowhere. */
  readonly user: UserRecord;
}

/** What processes tell each other: users as they are after a change. Numbered, so that a loss shows with the next message. */
export interface PresenceMessage {
  readonly from: string;
  readonly number: number;
  readonly users: readonly UserRecord[];
}

export const PRESENCE_CHANNEL = 'presence';
/** What one message carries at most. */
const AT_ONCE = 50;

const publisherOf = weakMemo((_bus: Bus) => ({ from: newUuid(), sent: 0 }));

/** Tells every process of users as they are now, once that is committed. */
export function publishPresence({ bus }: Pick<Deps, 'bus'>, users: readonly UserRecord[]): void {
  const publisher = publisherOf(bus);
  for (let at = 0; at < users.length; at += AT_ONCE) {
    publisher.sent += 1;
    const message: PresenceMessage = {
      from: publisher.from,
      number: publisher.sent,
      users: users.slice(at, at + AT_ONCE),
    };
    bus.publish(PRESENCE_CHANNEL, JSON.stringify(message));
  }
}
