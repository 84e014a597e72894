import { X509Certificate } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { readHead } from '../../../base/chain/blocks.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { outageMs } from '../../../base/platform/log/outage.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import { poolState } from '../../../base/platform/orm.ts';
import { countOverdue } from '../../settlement/shares/overdue-collections.ts';
import { configuredRates, rateAt } from '../../shop/fx/usd-per-token.ts';
import { answeredInTime, currentDependencies } from '../operators/dependencies.ts';
import { readGasWalletsOn } from '../operators/progress.ts';
import { QUEUES } from '../operators/queues.ts';
import { createHoldWatch, type Figure, HELD, type HoldWatch, readFigures, UNCOLLECTED } from './figures.ts';
import type { Instruments } from './instruments.ts';
import { METRICS, type MetricSource } from './table.ts';

type GaugeDeps = Pick<Deps, 'db' | 'bus' | 'chain' | 'chains' | 'settings' | 'clock' | 'log' | 'rates' | 'journal'>;

/** How long what was read elsewhere is reused, so that many scrapes cost no more than one. */
const FRESH_MS = { database: 4_000, chain: 10_000, certificates: 60_000 } as const;

/** Sets the gauges before each scrape. Resolves within seconds, also if the database or the chain hangs. */
export function createGauges(deps: GaugeDeps, metrics: Instruments): () => Promise<void> {
  const heldSeconds = createHoldWatch();
  const database = atMostEvery(FRESH_MS.database, () => setDatabase(deps, metrics, heldSeconds));
  const chain = atMostEvery(FRESH_MS.chain, () => setChain(deps, metrics));
  const certificates = atMostEvery(FRESH_MS.certificates, () => setCertificates(deps, metrics));
  return async () => {
    await Promise.all([database(), chain(), certificates(), setDisk(deps, metrics)]);
    setProcess(deps, metrics);
  };
}

/** Runs at most once in a while; calls in between share the run. */
function atMostEvery(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> | null = null;
  let startedAt = 0;
  return () => {
    const now = performance.now();
    if (last === null || now - startedAt >= everyMs) {
      startedAt = now;
      last = work();
    }
    return last;
  };
}

/** Removes the values of every gauge of a source. */
function forget(metrics: Instruments, source: MetricSource): void {
  for (const [name, metric] of Object.entries(METRICS)) {
    if (metric.source !== source || metric.type !== 'gauge') continue;
    const gauge = metrics.gauge(name as Parameters<Instruments['gauge']>[0]);
    gauge.reset();
    if (metric.labels.length === 0) gauge.remove();
  }
}

async function setDatabase(deps: GaugeDeps, metrics: Instruments, heldSeconds: HoldWatch): Promise<void> {
  const started = performance.now();
  const figures = await answeredInTime(readFigures(deps));
  const tookMs = performance.now() - started;
  forget(metrics, 'database');
  metrics.gauge('quittance_database_up').set(figures === null ? 0 : 1);
  metrics.gauge('quittance_database_probe_seconds').set(tookMs / 1000);
  if (figures === null) return;
  for (const queue of QUEUES) {
    metrics.gauge('quittance_queue_jobs').set({ queue }, 0);
    metrics.gauge('quittance_queue_oldest_seconds').set({ queue }, 0);
  }
  await setUncollected(deps, metrics, figures);
  for (const figure of figures.filter(({ name }) => name !== UNCOLLECTED)) {
    const value = figure.name === HELD ? heldSeconds(figure.value, started) : figure.value;
    set(deps, metrics, { ...figure, value });
  }
}

/** What is not collected, at present rates. A token without a rate is left out. */
async function setUncollected(deps: GaugeDeps, metrics: Instruments, figures: readonly Figure[]): Promise<void> {
  const gauge = metrics.gauge(UNCOLLECTED);
  for (const { chainId } of deps.chains) gauge.set({ chain: String(chainId) }, 0);
  for (const { name, chain, label, value } of figures) {
    const token = name === UNCOLLECTED ? tokenOn(deps, Number(chain), label) : null;
    const rate = token && (await rateAt(configuredRates(deps), token, deps.clock()));
    if (token && rate !== null) gauge.inc({ chain: chain! }, (value / 10 ** token.decimals) * Number(rate));
  }
}

function set(deps: GaugeDeps, metrics: Instruments, { name, chain, label, value }: Figure): void {
  const gauge = metrics.gauge(name as Parameters<Instruments['gauge']>[0]);
  const values = [chain, label].filter((text) => text !== null);
  const labels = Object.fromEntries(METRICS[name].labels.map((key, i) => [key, values[i]!]));
  if (name !== 'quittance_unmatched_tokens') {
    gauge.set(labels, value);
    return;
  }
  const token = tokenOn(deps, Number(chain), label);
  if (token) gauge.set(labels, value / 10 ** token.decimals);
}

async function setChain(deps: GaugeDeps, metrics: Instruments): Promise<void> {
  const [{ chains }, ...read] = await Promise.all([
    currentDependencies(deps),
    ...deps.chains.map((chain) =>
      Promise.all([answeredInTime(readHead(chain)), answeredInTime(readGasWalletsOn(deps, chain))]),
    ),
  ]);
  forget(metrics, 'chain');
  for (const [i, { chainId, chain: node, watcher }] of chains.entries()) {
    const chain = String(chainId);
    const [head, wallets] = read[i]!;
    metrics.gauge('quittance_chain_up').set({ chain }, node === 'up' ? 1 : 0);
    if (watcher !== 'off') metrics.gauge('quittance_watcher_up').set({ chain }, watcher === 'up' ? 1 : 0);
    if (head !== null) metrics.gauge('quittance_chain_head_block').set({ chain }, Number(head.number));
    const known = (wallets ?? []).filter(({ balance }) => balance !== null);
    // A role has several wallets after a change of its key: the first one is the current one.
    for (const [role, ofRole] of Map.groupBy(known, (wallet) => wallet.role)) {
      metrics.gauge('quittance_wallet_balance_coins').set({ chain, role }, Number(ofRole[0]!.balance));
      metrics.gauge('quittance_wallet_low').set({ chain, role }, ofRole.some(({ low }) => low) ? 1 : 0);
    }
  }
}

async function setDisk({ settings }: GaugeDeps, metrics: Instruments): Promise<void> {
  const disk = await statfs(settings.dataDir).catch(() => null);
  if (disk === null) return;
  metrics.gauge('quittance_disk_free_bytes').set(disk.bavail * disk.bsize);
  metrics.gauge('quittance_disk_size_bytes').set(disk.blocks * disk.bsize);
}

function setProcess(deps: GaugeDeps, metrics: Instruments): void {
  const {
    db: { orm },
    bus,
    clock,
    rates,
    journal,
    settings,
    log,
  } = deps;
  const now = clock();
  for (const [state, count] of Object.entries(poolState(orm) ?? {}))
    metrics.gauge('quittance_database_pool_connections').set({ state }, count);
  const degraded = metrics.counter('quittance_degraded_seconds_total');
  degraded.reset();
  degraded.inc(outageMs(log) / 1000);
  metrics.gauge('quittance_bus_up').set(bus.healthy() ? 1 : 0);
  for (const chain of deps.chains) {
    const labels = { chain: String(chain.chainId) };
    metrics.gauge('quittance_collections_overdue').set(labels, countOverdue({ chain, clock }));
    // Prometheus sees an increase only from a value that was there.
    metrics.counter('quittance_collections_without_effect_total').inc(labels, 0);
  }
  const { bytes, since } = journal.size();
  metrics.gauge('quittance_journal_bytes').set(bytes);
  metrics.gauge('quittance_journal_oldest_seconds').set(since === null ? 0 : Math.max(0, Date.now() - since) / 1000);
  metrics.gauge('quittance_journal_quarantined_orders').set(journal.quarantined().length);
  for (const [currency, { quotedAt }] of rates()) {
    if (quotedAt === null) continue;
    metrics.gauge('quittance_rate_age_seconds').set({ currency }, (now - quotedAt) / 1000);
    metrics.gauge('quittance_rate_max_age_seconds').set({ currency }, settings.fx.maxAgeOf(currency) / 1000);
  }
  if (settings.newcomerStoragePerDay !== null)
    metrics.gauge('quittance_newcomer_storage_limit_bytes').set(settings.newcomerStoragePerDay);
}

async function setCertificates({ settings }: GaugeDeps, metrics: Instruments): Promise<void> {
  const gauge = metrics.gauge('quittance_certificate_end_seconds');
  const ends = await readCertificateEnds(settings);
  gauge.reset();
  for (const [source, end] of ends) gauge.set({ source }, (end.getTime() - Date.now()) / 1000);
}

/** `file`: TLS_CERT_FILE. `base_url`: what answers at BASE_URL, such as a proxy. */
type CertificateSource = 'file' | 'base_url';

/** When the certificates of the installation end; without those that cannot be read. Resolves within 1.5 s. */
async function readCertificateEnds({
  tls,
  baseUrl,
}: Pick<Settings, 'tls' | 'baseUrl'>): Promise<Map<CertificateSource, Date>> {
  const [file, served] = await Promise.all([
    // A file that is being replaced is read the next time.
    tls === null ? null : answeredInTime(readFile(tls.certFile).then((pem) => new X509Certificate(pem).validToDate)),
    baseUrl.startsWith('https:') ? answeredInTime(servedEnd(new URL(baseUrl))) : null,
  ]);
  const ends = [['file', file] as const, ['base_url', served] as const];
  return new Map(ends.flatMap(([source, end]) => (end === null ? [] : [[source, end]])));
}

/** Rejects if no one answers there. A certificate that does not verify is read too: it may have ended. */
function servedEnd({ hostname, port }: URL): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = { host, port: Number(port || 443), servername: isIP(host) ? '' : host };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...place, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(certificate.validToDate);
      else reject(new Error(`${host} has no certificate`));
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error(`${host} does not answer`)));
    socket.on('error', reject);
  });
}
