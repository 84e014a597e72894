/** The hosts of `PARTNER_HOSTS` with their brand keys; null for a host without one. */
export type PartnerHosts = ReadonlyMap<string, string | null>;

/**
 * The partner host of a Host header, as listed in `PARTNER_HOSTS` (with the port if it is listed with one); undefined
 * for any other host. Letter case and a trailing dot are ignored.
 */
export function partnerHost(
  { partnerHosts }: { readonly partnerHosts: PartnerHosts },
  host: string,
): string | undefined {
  if (partnerHosts.size === 0) return undefined;
  const given = host.toLowerCase();
  if (partnerHosts.has(given)) return given;
  const name = given.replace(/:\d+$/, '').replace(/\.$/, '');
  return partnerHosts.has(name) ? name : undefined;
}

/** Parses `host` or `host=brandKey`, separated by commas. */
export function parsePartnerHosts(raw: string): PartnerHosts {
  return new Map(
    raw.split(',').map((entry) => {
      const [, host, brandKey] = /^([^=/\s]+)(?:=([^=\s]+))?$/.exec(entry.trim()) ?? [];
      if (host === undefined) throw new Error('must be a comma-separated list of host or host=brandKey');
      return [host.toLowerCase(), brandKey ?? null] as const;
    }),
  );
}
