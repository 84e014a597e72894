import { createServer } from 'node:net';
import { openFixedHost } from '../../base/outgoing/fixed-host.ts';
import type { Config } from '../../base/platform/config/config.ts';
import { listenFault } from '../../base/platform/config/listen-fault.ts';
import type { Finding } from './doctor-finding.ts';

const TIMEOUT_MS = 2_000;

/** Checks that a server can listen where it is to listen. One that runs already is no fault. */
export async function checkPorts({
  host,
  port,
  tls,
  metrics,
}: Pick<Config, 'host' | 'port' | 'tls' | 'metrics'>): Promise<Finding[]> {
  const server = checkPlace('server', { host, port }, (at) => isServer(`${tls ? 'https' : 'http'}://${at}/healthz`));
  const figures = metrics && checkPlace('metrics', metrics, (at) => isMetrics(`http://${at}/metrics`));
  return (await Promise.all([server, figures])).flatMap((found) => found ?? []);
}

type Place = { readonly host: string; readonly port: number };

async function checkPlace(
  kind: 'server' | 'metrics',
  place: Place,
  isOurs: (at: string) => Promise<boolean>,
): Promise<Finding[]> {
  const check = kind === 'server' ? 'PORT' : 'METRICS_PORT';
  const error = await tryToListen(place);
  if (error === null) return [{ check, state: 'ok', found: `${place.port} is free`, fix: null }];
  const at = `${place.host === '0.0.0.0' || place.host === '::' ? '127.0.0.1' : place.host}:${place.port}`;
  if (await isOurs(at)) return [{ check, state: 'ok', found: `Quittance listens at ${place.port}`, fix: null }];
  const [found] = listenFault(kind, place, error)?.lines ?? [error.message];
  return [{ check, state: 'wrong', found: found!, fix: 'Free it, or set another one.' }];
}

/** The error of listening at a place; null if it is free. */
function tryToListen(place: Place): Promise<Error | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(place, () => server.close(() => resolve(null)));
  });
}

/** A certificate for another name is no fault of a server on this machine: `checkAddress` looks at it. */
const isServer = async (url: string): Promise<boolean> =>
  url.startsWith('https:') ? isTls(url) : ((await ask(url))?.includes('"dependencies"') ?? false);

const isTls = async (url: string): Promise<boolean> =>
  openFixedHost(url)(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    () => true,
    (error: { readonly cause?: { readonly code?: string } }) => /CERT|SSL|SIGNED/.test(error.cause?.code ?? ''),
  );

const isMetrics = async (url: string): Promise<boolean> => (await ask(url))?.includes('quittance_') ?? false;

const ask = (url: string): Promise<string | null> =>
  openFixedHost(url)(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    (answer) => answer.text(),
    () => null,
  );
