import type { AddressInfo } from 'node:net';
import type { LogComponent } from '../base/core/log-level.ts';
import { createExecutor } from '../base/graphql/execute.ts';
import { traceResolvers } from '../base/graphql/trace-resolvers.ts';
import { loadDocuments } from '../base/graphql/trusted-documents.ts';
import { listenFault } from '../base/platform/config/variable-fault.ts';
import type { Settings } from '../base/platform/deps.ts';
import { moveEarlierJobs } from '../base/platform/earlier-jobs.ts';
import { componentLog } from '../base/platform/log/log.ts';
import { logFailure } from '../base/platform/log/outage.ts';
import { followLogLevels } from '../base/platform/log-levels.ts';
import { startListener } from '../base/platform/pg-notifications.ts';
import { recordServer } from '../base/platform/running.ts';
import { logAuditHeads } from '../base/records/audit/log-heads.ts';
import { gatewayChanges } from '../domain/access/gateway/authenticate.ts';
import { startLastUses } from '../domain/access/gateway/last-uses.ts';
import { startMetrics } from '../domain/operations/metrics/serve-metrics.ts';
import { startRetentionWorker } from '../domain/operations/retention/worker.ts';
import { startOnrampWorker } from '../domain/payments/cards/worker.ts';
import { checkAllTokens } from '../domain/payments/watching/check-tokens.ts';
import { startLateReceipts } from '../domain/payments/watching/late-receipts.ts';
import { startPaymentWorker } from '../domain/payments/watching/worker.ts';
import { startPresence } from '../domain/people/users/worker.ts';
import { startChargeWorker } from '../domain/recurring/charges/worker.ts';
import { startReminders } from '../domain/recurring/subscriptions/notice-endings.ts';
import { startEventWorker } from '../domain/reports/events/worker.ts';
import { startSearchWorker } from '../domain/reports/receipt-search/worker.ts';
import { startStatisticsWorker } from '../domain/reports/statistics/worker.ts';
import { startReplay } from '../domain/sales/orders/journal-order.ts';
import { keepWarm } from '../domain/sales/pricing/keep-warm.ts';
import { startExpiryWorker } from '../domain/sales/receipts/expiry-worker.ts';
import { createShares } from '../domain/settlement/shares/create-shares.ts';
import { settlementLoop } from '../domain/settlement/shares/settle.ts';
import { warnOfStaticCoins } from '../domain/shop/fx/static-coins.ts';
import { warnOfEmptyChoices } from '../domain/shop/merchants/empty-choices.ts';
import { startWebhookWorker } from '../domain/webhooks/delivery/worker.ts';
import { startMailWorker } from '../domain/webhooks/mail/worker.ts';
import { cutAfterDrain } from '../doors/http/server/connections.ts';
import { createDocuments } from '../doors/http/server/documents.ts';
import { mountGraphQL } from '../doors/http/server/graphql-http.ts';
import { mountHealth } from '../doors/http/server/health.ts';
import { createHttp } from '../doors/http/server/http.ts';
import { createHttpGuard } from '../doors/http/server/http-guard.ts';
import { createLiveGuard } from '../doors/http/server/live-guard.ts';
import { schema } from '../doors/http/server/schema.ts';
import { mountSchemaText } from '../doors/http/server/schema-text.ts';
import { mountStripeWebhook } from '../doors/http/server/stripe-webhook.ts';
import { mountWebsocket } from '../doors/http/server/websocket.ts';
import { mountX402 } from '../doors/http/x402/mount.ts';
import { buildPages } from '../doors/pages/app/assets.ts';
import { mountPages } from '../doors/pages/app/mount.ts';
import { sendErrorPage } from '../doors/pages/app/refusal.ts';
import { composeMail } from '../doors/pages/mail/compose.ts';
import { mountRoutes } from '../doors/rest/mount.ts';
import { mountDocument } from '../doors/rest/openapi/mount.ts';
import { parts, routes } from '../doors/rest/routes.ts';
import type { OpenDeps } from './deps.ts';
import { completePort } from './settings.ts';

/** The interval at which the heads of the audit log are logged. */
const HEADS_MS = 3_600_000;

/** A running server. */
export interface Running {
  readonly url: string;
  /** Where its metrics are; null without METRICS_PORT. */
  readonly metricsUrl: string | null;
  /** Stops accepting requests, completes the open ones, and closes. */
  stop(): Promise<void>;
}

/** A background task that runs until it is stopped. */
export interface Worker {
  stop(): Promise<void>;
}

/** Serves REST, GraphQL and pages over HTTP, on the settings' host and port. Port 0 selects a free port. */
export async function serve(whole: OpenDeps): Promise<Running> {
  const deps = { ...whole, log: componentLog(whole.log, 'server') };
  const { settings, log } = deps;
  const levels = followLogLevels(whole);
  if (settings.traces) traceResolvers(schema);
  const executor = createExecutor(schema);
  const documents = createDocuments(loadDocuments(settings.trustedDocuments, executor));
  const tokenCheck = await checkAllTokens(deps);
  warnOfStaticCoins(deps);
  warnOfEmptyChoices(deps);
  const built = buildPages();
  const server = createHttp(deps, (reply, refusal) => sendErrorPage(built.pages.portal, reply, refusal));
  cutAfterDrain(server);
  const metrics = await startMetrics(deps);
  metrics?.countRequests(server);
  const guard = createHttpGuard(server, deps);
  mountHealth(server, deps);
  const live = createLiveGuard({ executor, documents }, deps, guard);
  metrics?.countConnections(live.connections.counts);
  mountRoutes(server, routes, schema, deps, guard, live);
  mountSchemaText(server, deps.settings, guard);
  mountDocument(server, parts, schema, deps.settings, guard);
  mountGraphQL(server, { executor, documents }, deps, guard, live);
  await mountPages(server, deps, guard, built);
  mountX402(server, deps, guard);
  await mountStripeWebhook(server, deps, guard);
  const sockets = mountWebsocket(server.server, live);
  const listener = await startListener(settings.databaseSessionUrl, gatewayChanges(deps.db), log);
  const replay = await startReplay(deps);
  const warm = await keepWarm(deps);
  const presence = startPresence(deps);
  const lastUses = startLastUses(deps.db, deps.log);

  const stop = async () => {
    levels.stop();
    tokenCheck.stop();
    await replay.stop();
    warm.stop();
    await sockets.close();
    live.close();
    await server.close();
    await presence.stop();
    await lastUses.stop();
    await guard.close();
    await listener.close();
    await metrics?.stop();
  };
  try {
    await server.listen({ host: settings.host, port: settings.port }).catch((error: NodeJS.ErrnoException) => {
      throw listenFault('server', settings, error) ?? error;
    });
    const { port } = server.server.address() as AddressInfo;
    completePort(settings, port);
    const recorded = recordServer(settings.dataDir, settings.baseUrl);
    return {
      url: addressOf(settings, port),
      metricsUrl: metrics?.url ?? null,
      async stop() {
        recorded.forget();
        await stop();
      },
    };
  } catch (error) {
    // What is open would keep the process alive.
    await stop();
    throw error;
  }
}

/** Starts the workers that watch the chain, settle payments, charge subscriptions and deliver webhooks. */
export async function work(deps: OpenDeps): Promise<Worker> {
  const tokenCheck = await checkAllTokens(deps);
  const metrics = await startMetrics(deps);
  const levels = followLogLevels(deps);
  const as = (component: LogComponent) => ({ ...deps, log: componentLog(deps.log, component) });
  const workers = [
    ...deps.chains.map((chain) =>
      startPaymentWorker({ ...as('watcher'), chain, createShares }, settlementLoop({ ...as('settlement'), chain })),
    ),
    moveEarlierJobs(deps.db, deps.log),
    startExpiryWorker(deps),
    startSearchWorker(deps),
    startOnrampWorker(deps),
    startWebhookWorker(as('webhooks')),
    startMailWorker(as('webhooks'), (mail) => composeMail(deps, mail)),
    await startReminders(as('charges')),
    await startChargeWorker(as('charges')),
    startLateReceipts({ ...as('watcher'), createShares }),
    startEventWorker(as('events')),
    startStatisticsWorker(deps),
    startRetentionWorker(deps),
  ];
  logHeads(deps);
  const heads = setInterval(() => logHeads(deps), HEADS_MS);
  return {
    async stop() {
      clearInterval(heads);
      levels.stop();
      tokenCheck.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await metrics?.stop();
    },
  };
}

function logHeads(deps: OpenDeps): void {
  logAuditHeads(deps.db, deps.log).catch((error: Error) =>
    logFailure(deps.log, error, 'heads of the audit log not logged'),
  );
}

/** The URL at which a person reaches the server. */
function addressOf({ host, tls }: Settings, port: number): string {
  const name = host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}
