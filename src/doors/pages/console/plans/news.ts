import { useStream } from '../client/stream.ts';
import { SubscriptionNews } from '../generated/plans.ts';

/** Reads again when a subscription of the merchant changes; with an id only for changes of that one. */
export function useSubscriptionNews(again: () => void, subscriptionId?: string): void {
  useStream(
    SubscriptionNews,
    {},
    {
      onOpen: again,
      onData({ subscriptionEvents: event }) {
        if (subscriptionId === undefined || event.subscriptionId === subscriptionId) again();
      },
    },
  );
}
