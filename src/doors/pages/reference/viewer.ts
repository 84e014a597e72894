import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fastify } from 'fastify';
import type { StaticFile } from '../shared/send-file.ts';

/** The viewer's script, which this server serves itself. */
export interface Viewer extends StaticFile {
  /** The path below `/_next/static/`, which contains a hash of the content. */
  readonly path: string;
}

let loading: Promise<Viewer> | undefined;

/** Reads the viewer from its package on first use, because it is four megabytes that most servers never serve. */
export function loadViewer(): Promise<Viewer> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Viewer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  // The package provides its script only through a server, so read it from a temporary one.
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

/** The prefix of the script's path. */
export const VIEWER_PREFIX = '/_next/static/viewer.';
