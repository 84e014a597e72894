import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fastify } from 'fastify';
import type { StaticFile } from '../assets.ts';

/** The viewer's script, to be served by us. */
export interface Viewer extends StaticFile {
  /** Its address below `/_next/static/`, by its content. */
  readonly path: string;
}

let loading: Promise<Viewer> | undefined;

/** Takes the viewer out of its package, when it is first asked for: four megabytes that most servers never show. */
export function loadViewer(): Promise<Viewer> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Viewer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  // The package tells its script to nobody but a server.
  const inner = fastify({ logger: false });
  await inner.register(scalar, { routePrefix: '/viewer', configuration: { url: '/' } });
  const { rawPayload: body } = await inner.inject('/viewer/js/scalar.js');
  await inner.close();
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8).toUpperCase();
  return {
    path: `${VIEWER_PREFIX}${hash}.js`,
    body,
    packed: await promisify(gzip)(body),
    type: 'text/javascript; charset=utf-8',
  };
}

/** What the script's address begins with. */
export const VIEWER_PREFIX = '/_next/static/viewer.';
