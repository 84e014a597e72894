import { useState } from 'preact/hooks';
import { ConsoleShop } from '../generated/client.ts';
import { useRead } from './ask.ts';
import { useInside } from './inside.ts';
import type { PeriodQuery, ShopTime } from './period.ts';

/** The time zone (IANA) of the shop's days; undefined while it is being read. Without a shop it is UTC. */
export function useShopZone(): string | undefined {
  const isShopless = useInside().session.merchant === null;
  const { data, problem } = useRead(ConsoleShop, {}, { pause: isShopless, again: false });
  return isShopless || problem !== null ? 'UTC' : data?.shopConfig.profile.timeZone;
}

/**
 * The time by which a page filters. A period is relative to the day on which the page is opened, not to each moment.
 * The read pauses while a period waits for the zone.
 */
export function useShopTime({ period }: PeriodQuery): { readonly time: ShopTime; readonly pause: boolean } {
  const [now] = useState(() => new Date());
  const zone = useShopZone();
  return { time: { now, zone: zone ?? 'UTC' }, pause: zone === undefined && Boolean(period) };
}
