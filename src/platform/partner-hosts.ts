import type { Settings } from './deps.ts';

/**
 * The partner host of a Host header, as listed in `PARTNER_HOSTS` (with the port if it is listed with one); undefined
 * for any other host. Letter case and a trailing dot are ignored.
 */
export function partnerHost({ partnerHosts }: Pick<Settings, 'partnerHosts'>, host: string): string | undefined {
  if (partnerHosts.size === 0) return undefined;
  const given = host.toLowerCase();
  if (partnerHosts.has(given)) return given;
  const name = given.replace(/:\d+$/, '').replace(/\.$/, '');
  return partnerHosts.has(name) ? name : undefined;
}
