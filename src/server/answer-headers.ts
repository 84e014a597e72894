import type { Settings } from '../platform/deps.ts';
import { partnerHost } from '../platform/partner-hosts.ts';

/**
 * What every answer on a partner's host carries, whatever its path and status, so that a shop's page may read the site and sample its images. Never
 * `Access-Control-Allow-Credentials`: with `*` a browser sends no cookie along, so a foreign page reads only what anyone may.
 */
const PARTNER_CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
  'access-control-allow-headers': '*',
} as const;

/**
 * The headers of every answer. Nothing may be kept by a cache, and no page of another site reads anything, except on partners' hosts. The built files
 * under `/_next/static/` alone replace `cache-control` by their own.
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
