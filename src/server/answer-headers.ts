import { partnerHost } from '../platform/config/partner-hosts.ts';
import type { Settings } from '../platform/deps.ts';

/**
 * Headers of every answer on a partner's host, for any path and status, so that a shop's page can read the site and
 * sample its images. `Access-Control-Allow-Credentials` is never sent: with `*` a browser sends no cookie, so a foreign
 * page reads public content only.
 */
const PARTNER_CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
  'access-control-allow-headers': '*',
} as const;

/**
 * The headers of every answer. No cache may store it and no page of another site may read it, except on partners'
 * hosts. Only the built files under `/_next/static/` replace `cache-control`.
 */
export function answerHeaders(
  settings: Pick<Settings, 'partnerHosts'>,
  { correlationId, host }: { readonly correlationId: string; readonly host: string },
): Readonly<Record<string, string>> {
  const headers = {
    'x-correlation-id': correlationId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return partnerHost(settings, host) === undefined ? headers : { ...headers, ...PARTNER_CORS };
}
