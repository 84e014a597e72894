import { renewToken, tokenProof } from '../../client/graphql.ts';
import { followStream } from '../../client/live-stream.ts';
import { createPatience } from '../../client/socket.ts';
import { LivePage } from '../../generated/live.ts';
import type { PresenceUpdate } from './presence-list.ts';

export interface StreamOptions {
  readonly url: string;
  /** A stream begins; it first sends all live people. */
  onOpen(): void;
  onUpdate(update: PresenceUpdate): void;
  onDown(): void;
}

/**
 * Follows the live people while the page is open. Reopens a stream that ends, with a new token if the old one has
 * expired.
 */
export async function followLive({ url, onOpen, onUpdate, onDown }: StreamOptions): Promise<never> {
  const patience = createPatience();
  for (;;) {
    const end = await followStream({
      url,
      query: LivePage,
      variables: {},
      proof: tokenProof(),
      onOpen() {
        patience.reset();
        onOpen();
      },
      onData({ livePresence: { kind, wallet, user } }) {
        onUpdate({ kind, person: { wallet, ...user } });
      },
    });
    onDown();
    await patience.wait();
    // If the page cannot be fetched either, the next attempt tries again.
    if (end === 'forbidden') await renewToken().catch(() => undefined);
  }
}
