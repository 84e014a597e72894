import { createClient } from 'graphql-ws';
import { pageToken, renewToken } from '../../client/graphql.ts';
import { closeCode, createPatience, FORBIDDEN, socketUrl } from '../../client/socket.ts';
import type { Person } from '../person.ts';
import type { Told } from './crowd.ts';

const FIELDS = 'displayName pfpUrl xp languages platform spaceUrl liveSince';
const FOLLOW = `subscription LivePage { livePresence { kind wallet user { ${FIELDS} } } }`;

interface PresenceNews {
  livePresence: { kind: Told['kind']; wallet: string; user: Omit<Person, 'wallet'> };
}

export interface StreamOptions {
  readonly url: string;
  /** A stream begins; it tells of everybody first. */
  onOpen(): void;
  onTold(told: Told): void;
  onDown(): void;
}

/** Follows who is live, for as long as the page is open: a stream that ends is begun again, with a new token where the old one is worn out. */
export function followLive({ url, onOpen, onTold, onDown }: StreamOptions): void {
  const patience = createPatience();

  const connect = () => {
    const client = createClient({
      url: socketUrl(url, location.href),
      connectionParams: () => ({ Authorization: `Bearer ${pageToken()}` }),
      retryAttempts: 0,
      keepAlive: 12_000,
      on: {
        connected: () => {
          patience.reset();
          onOpen();
        },
      },
    });
    let ended = false;
    const again = async (error?: unknown) => {
      if (ended) return;
      ended = true;
      onDown();
      void client.dispose();
      await new Promise((resolve) => setTimeout(resolve, patience.next()));
      // A page that cannot be fetched either is tried again at the next turn.
      if (closeCode(error) === FORBIDDEN) await renewToken().catch(() => false);
      connect();
    };
    client.subscribe<PresenceNews>(
      { query: FOLLOW },
      {
        next: ({ data }) => {
          if (!data) return;
          const { kind, wallet, user } = data.livePresence;
          onTold({ kind, person: { wallet, ...user } });
        },
        error: (error) => void again(error),
        complete: () => void again(),
      },
    );
  };
  connect();
}
