import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../../base/platform/deps.ts';
import { isOwnOrigin } from '../../../domain/access/gateway/csrf.ts';

/**
 * Whether a form was sent from a page of this server. The pages send no referrer, so browsers send the form's origin as
 * `null`; `sec-fetch-site` still shows where the form is.
 */
export function isFromOwnPage(
  settings: Settings,
  { method, host, url, raw }: Pick<FastifyRequest, 'method' | 'host' | 'url' | 'raw'>,
): boolean {
  const own = raw.headers['sec-fetch-site'] === 'same-origin';
  return own || isOwnOrigin(settings, { method, host, path: url, headers: raw.headers });
}
