import { partnerHost } from '../../../base/platform/config/partner-hosts.ts';
import type { Settings } from '../../../base/platform/deps.ts';

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

/** A browser that has seen this header opens no page of the host over http for a year. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * The headers of every answer. No cache may store it and no page of another site may read it, except on partners'
 * hosts. Only the built files under `/_next/static/` replace `cache-control`. Production that is served over https
 * stays so; on a developer's machine `localhost` has other ports as well.
 */
export function answerHeaders(
  settings: Pick<Settings, 'partnerHosts' | 'baseUrl' | 'environment'>,
  { correlationId, host }: { readonly correlationId: string; readonly host: string },
): Readonly<Record<string, string>> {
  const headers = {
    'x-correlation-id': correlationId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(settings.environment === 'production' && settings.baseUrl.startsWith('https:') ? HTTPS_ONLY : {}),
  };
  return partnerHost(settings, host) === undefined ? headers : { ...headers, ...PARTNER_CORS };
}
