import { newUuid } from '../../../base/core/ids.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { UserRecord } from './record.ts';

/** A publicly live user joined, changed or left. Making the space private while live counts as leaving. */
export interface PresenceEvent {
  readonly kind: 'joined' | 'changed' | 'left';
  readonly wallet: Wallet;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The user at that time. For `left`: not live, without space. */
  readonly user: UserRecord;
}

/** A bus message between processes: users after a change. Numbered, so that receivers detect lost messages. */
export interface PresenceMessage {
  readonly from: string;
  readonly number: number;
  readonly users: readonly UserRecord[];
}

export const PRESENCE_CHANNEL = 'presence';
/** The maximum number of users per message. */
const AT_ONCE = 50;

const publisherOf = keptBy('publisher of presence', (_bus: Bus) => ({ from: newUuid(), sent: 0 }));

/** Publishes the new state of users to every process. Call after commit. */
export function publishPresence(bus: Bus, users: readonly UserRecord[]): void {
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
