import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isLocalChain } from '../../base/core/local-chains.ts';
import type { Config } from '../../base/platform/config/config.ts';
import { quarantinedIn } from '../../base/platform/journal.ts';
import { connectRedis } from '../../base/platform/redis/redis.ts';
import { JOURNAL } from '../../domain/sales/orders/journal-order.ts';
import type { Finding } from './doctor-finding.ts';

const TIMEOUT_MS = 5_000;
/** The journal and the embedded services need room. */
const FREE_MIN_BYTES = 1 << 30;
const CERTIFICATE_MIN_DAYS = 14;
const DAY_MS = 86_400_000;
/** Browsers send cookies of https to these over http, too. */
const LOOPBACK = /^(?:localhost|127\..*|::1)$/;

/** Checks that Redis answers. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === null) return [];
  const redis = connectRedis(redisUrl, {
    connectTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
  });
  // The error of the connection says more than that of the command, which is "Connection is closed".
  let lost: Error | undefined;
  redis.on('error', (error: Error) => {
    lost = error;
  });
  try {
    await redis.ping();
    return [{ check: 'redis', state: 'ok', found: 'it answers', fix: null }];
  } catch (error) {
    const fix = 'Start Redis, or correct REDIS_URL. One server alone needs none.';
    const { message } = lost ?? (error as Error);
    return [{ check: 'redis', state: 'wrong', found: `it does not answer: ${message}`, fix }];
  } finally {
    redis.disconnect();
  }
}

/** Checks the program that locks the files of the journal. */
export function checkFlock(): Finding[] {
  const check = 'flock';
  if (spawnSync('flock', ['--version']).status === 0)
    return [{ check, state: 'ok', found: 'it can lock the journal of orders', fix: null }];
  const fix = 'Install the package util-linux: the server does not start without it.';
  return [{ check, state: 'wrong', found: 'the program is not on PATH', fix }];
}

/** Checks the room that is left for DATA_DIR. */
export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>, freeMin = FREE_MIN_BYTES): Promise<Finding[]> {
  const disk = await statfs(dataDir).catch(() => null);
  if (disk === null) return [{ check: 'disk', state: 'note', found: `${dataDir} does not exist yet`, fix: null }];
  const free = disk.bavail * disk.bsize;
  const full = free < freeMin;
  return [
    {
      check: 'disk',
      state: full ? 'wrong' : 'ok',
      found: `${(free / (1 << 30)).toFixed(1)} GiB are free at ${dataDir}`,
      fix: full ? 'Make room, or move DATA_DIR: orders of an outage of the database are written there.' : null,
    },
  ];
}

/** Checks that every acknowledged order is booked or waits for the database. */
export function checkQuarantine({ dataDir }: Pick<Config, 'dataDir'>): Finding[] {
  const { length } = quarantinedIn(dataDir, JOURNAL);
  if (length === 0) return [];
  const found = `${length} acknowledged ${length === 1 ? 'order' : 'orders'} could not be inserted`;
  const fix = 'See `quittance journal list`, remove the cause, then run `quittance journal retry`.';
  return [{ check: 'journal', state: 'note', found, fix }];
}

/** Checks that splits can be configured, which orders need. The local chain has a test wallet for it. */
export function checkRecipient({
  platformRecipient,
  chainId,
}: Pick<Config, 'platformRecipient' | 'chainId'>): Finding[] {
  if (platformRecipient !== null || isLocalChain(chainId)) return [];
  const found = 'it is not set: no split can be configured, and orders are refused without one';
  const fix = 'Set PLATFORM_RECIPIENT to your wallet.';
  return [{ check: 'PLATFORM_RECIPIENT', state: 'note', found, fix }];
}

/** Checks that a production server knows its public address, that its name resolves and, for https, its certificate. */
export async function checkAddress({
  baseUrl,
  environment,
}: Pick<Config, 'baseUrl' | 'environment'>): Promise<Finding[]> {
  const isPublic = environment === 'production';
  if (baseUrl === null) {
    const fix = 'Set BASE_URL to the public address.';
    return isPublic ? [{ check: 'BASE_URL', state: 'wrong', found: 'payment URLs lead to localhost', fix }] : [];
  }
  const { hostname, protocol, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    const { address } = await lookup(host);
    const name: Finding = { check: 'name of BASE_URL', state: 'ok', found: `${host} is ${address}`, fix: null };
    if (protocol === 'https:') return [name, await checkCertificate(host, Number(port || 443))];
    if (!isPublic || LOOPBACK.test(host)) return [name];
    const fix = 'Serve https, with a proxy or TLS_CERT_FILE, and correct BASE_URL.';
    const found = 'browsers send no cookies over http, so no one can sign in';
    return [name, { check: 'BASE_URL', state: 'wrong', found, fix }];
  } catch {
    const fix = `Create a DNS record for ${host}, or correct BASE_URL.`;
    return [{ check: 'name of BASE_URL', state: 'wrong', found: `${host} does not resolve`, fix }];
  }
}

async function checkCertificate(host: string, port: number): Promise<Finding> {
  const check = 'certificate of BASE_URL';
  try {
    const days = await certificateDays(host, port);
    const soon = days < CERTIFICATE_MIN_DAYS;
    const fix = soon ? 'Renew the certificate.' : null;
    return { check, state: soon ? 'wrong' : 'ok', found: `it is valid for ${days} more days`, fix };
  } catch (error) {
    const fix = 'Start the server or proxy, with a certificate for this name of a known authority and its chain.';
    return { check, state: 'wrong', found: (error as Error).message, fix };
  }
}

/** Rejects if no one listens, or if the certificate does not verify for the name. */
function certificateDays(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host, port, ...(isIP(host) ? {} : { servername: host }) }, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      socket.end();
      resolve(Math.floor((Date.parse(end) - Date.now()) / DAY_MS));
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${host}:${port} does not answer`)));
    socket.on('error', reject);
  });
}
