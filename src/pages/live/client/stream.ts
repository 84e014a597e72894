import { renewToken, tokenProof } from '../../client/graphql.ts';
import { followStream } from '../../client/live-stream.ts';
import { createPatience } from '../../client/socket.ts';
import type { Person } from '../person.ts';
import type { PresenceUpdate } from './presence-list.ts';

const FIELDS = 'displayName pfpUrl xp languages platform spaceUrl liveSince';
const FOLLOW = `subscription LivePage { livePresence { kind wallet user { ${FIELDS} } } }`;

interface PresenceNews {
  livePresence: { kind: PresenceUpdate['kind']; wallet: string; user: Omit<Person, 'wallet'> };
}

export interface StreamOptions {
  readonly url: string;
  /** A stream begins; it tells of everybody first. */
  onOpen(): void;
  onTold(told: PresenceUpdate): void;
  onDown(): void;
}

/** Follows who is live, for as long as the page is open: a stream that ends is begun again, with a new token where the old one is worn out. */
export async function followLive({ url, onOpen, onTold, onDown }: StreamOptions): Promise<never> {
  const patience = createPatience();
  for (;;) {
    const end = await followStream<PresenceNews>({
      url,
      query: FOLLOW,
      proof: tokenProof(),
      onOpen() {
        patience.reset();
        onOpen();
      },
      onData({ livePresence: { kind, wallet, user } }) {
        onTold({ kind, person: { wallet, ...user } });
      },
    });
    onDown();
    await patience.wait();
    // A page that cannot be fetched either is tried again at the next turn.
    if (end === 'forbidden') await renewToken().catch(() => undefined);
  }
}
