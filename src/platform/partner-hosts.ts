import type { Settings } from './deps.ts';

/**
 * The partner host that a Host header names, as `PARTNER_HOSTS` lists it (with the port where it is listed with one); undefined for every other host.
 * Letter case does not count, nor does a last dot.
 */
export function partnerHost({ partnerHosts }: Pick<Settings, 'partnerHosts'>, host: string): string | undefined {
  if (partnerHosts.size === 0) return undefined;
  const given = host.toLowerCase();
  if (partnerHosts.has(given)) return given;
  const name = given.replace(/:\d+$/, '').replace(/\.$/, '');
  return partnerHosts.has(name) ? name : undefined;
}
