import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { toAddress } from '../../base/chain/address.ts';
import { askStranger } from '../../base/chain/ask-stranger.ts';
import { findTokenFault } from '../../base/chain/check-tokens.ts';
import { type Chain, createChain, reach } from '../../base/chain/client.ts';
import { DEPLOYER, deploymentTransaction } from '../../base/chain/create2.ts';
import { whyNoAddresses } from '../../base/chain/receipt-address.ts';
import { receiptFactoryDeployment } from '../../base/chain/receipt-record.ts';
import { isDeployed, RELEASE_GAS_MAX } from '../../base/chain/splitter.ts';
import { nativeCoin, toDecimal } from '../../base/chain/tokens.ts';
import { readTransactionCost } from '../../base/chain/transfer-fee.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import { reasonOf as messageOf } from '../../base/core/reason.ts';
import type { Config } from '../../base/platform/config/config.ts';
import { createDb } from '../../base/platform/db.ts';
import { createLog } from '../../base/platform/log/log.ts';
import { schemaStateOf } from '../../base/platform/migrations/migrate.ts';
import { schemaFault } from '../../base/platform/migrations/prepare-tables.ts';
import { createOrm } from '../../base/platform/orm.ts';
import { tryLock } from '../../base/platform/postgres/advisory-lock.ts';
import type { SealedUse } from '../../base/platform/sealed-values.ts';
import { readsWith } from '../../domain/access/keys/check-secrets.ts';
import { readGasWallets } from '../../domain/operations/operators/progress.ts';
import { readSealedUses } from '../../domain/operations/operators/rotation.ts';
import { HAS_PARTS_SQL, PARTS_INDEX, PARTS_INDEX_DEFINITION } from '../../domain/reports/receipt-search/parts.ts';
import { entities } from '../entities.ts';

/** What a check has found. `note`: it works, but could be better. `wrong`: the server does not work with it. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly found: string;
  /** What to do; null if nothing. */
  readonly fix: string | null;
}

/** How long a check waits for a connection, and for a statement. */
const CONNECT_MS = 5_000;

/** The rows of one statement, over a connection of its own. */
async function readOnce<Row extends object>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Older versions are not known to work. */
const VERSION_MIN = 150_000;

const RIGHTS = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as named,
         has_database_privilege(current_database(), 'create') as "mayCreateSchema",
         has_schema_privilege('public', 'create') as "mayCreateTable",
         current_setting('transaction_read_only')::bool as "readOnly",
         pg_has_role('pg_monitor', 'usage') as "mayMonitor", current_user as name,
         exists (select from pg_collation where collname = 'und-x-icu') as "hasLetters"`;

interface Rights {
  readonly version: number;
  readonly named: string;
  readonly mayCreateSchema: boolean;
  readonly mayCreateTable: boolean;
  readonly readOnly: boolean;
  readonly mayMonitor: boolean;
  readonly name: string;
  readonly hasLetters: boolean;
}

/** Checks the database: whether it answers, its version, and what the user may do. */
export async function checkDatabase(connectionString: string | null): Promise<Finding[]> {
  if (connectionString === null)
    return [{ check: 'database', state: 'ok', found: 'the embedded PostgreSQL, which the server starts', fix: null }];
  try {
    const [rights] = await readOnce<Rights>(connectionString, RIGHTS);
    return rightsFindings(rights!);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const fix = 'Start PostgreSQL, or correct DATABASE_URL: host, port, user, password and database.';
    return [{ check: 'database', state: 'wrong', found: `it does not answer: ${message || code}`, fix }];
  }
}

function rightsFindings(rights: Rights): Finding[] {
  const { version, named, mayCreateSchema, mayCreateTable, readOnly, mayMonitor, name, hasLetters } = rights;
  const old = version < VERSION_MIN;
  const missing = [
    ...(mayCreateSchema ? [] : ['create a schema in the database']),
    ...(mayCreateTable ? [] : ['create tables in the schema public']),
  ];
  return [
    {
      check: 'database version',
      state: old ? 'wrong' : 'ok',
      found: `PostgreSQL ${named}`,
      fix: old ? 'Use PostgreSQL 15 or newer.' : null,
    },
    ...(hasLetters
      ? []
      : [
          {
            check: 'database collations',
            state: 'wrong' as const,
            found: 'the server has no order of letters ("und-x-icu"): it was built without ICU',
            fix: 'Use a PostgreSQL that was built with ICU, as all packages of the distributions are.',
          },
        ]),
    {
      check: 'database rights',
      state: missing.length > 0 || readOnly ? 'wrong' : 'ok',
      found: readOnly
        ? 'the database is read-only'
        : missing.length > 0
          ? `${name} may not ${missing.join(', nor ')}`
          : `${name} may create what the migrations need`,
      fix: readOnly
        ? 'Point DATABASE_URL to the primary, and check default_transaction_read_only.'
        : missing.length > 0
          ? `grant create on database … to "${name}"; grant create on schema public to "${name}";`
          : null,
    },
    {
      check: 'replica lag',
      state: mayMonitor ? 'ok' : 'note',
      found: mayMonitor ? `${name} may read it for the metrics` : `${name} may not read it: the metrics lack it`,
      fix: mayMonitor ? null : `grant pg_monitor to "${name}";`,
    },
  ];
}

const NO_TABLE = '42P01';
const check = 'migrations';

/** Compares the tables with this version. Finds nothing if the database does not answer: that is another check. */
export async function checkMigrations(
  config: Pick<Config, 'databaseUrl' | 'migrates' | 'acceptsNewerSchema'>,
): Promise<Finding[]> {
  const { databaseUrl, migrates, acceptsNewerSchema } = config;
  if (databaseUrl === null) return [];
  const done = await readDone(databaseUrl);
  if (done === null) return [];
  const state = schemaStateOf(done);
  const { pending, unknown } = state;
  const fault = schemaFault(state, { migrates, newer: acceptsNewerSchema });
  if (fault !== null) return [{ check, state: 'wrong', found: fault, fix: 'The server does not start until then.' }];
  if (unknown.length > 0) {
    const found = `the database is newer than this version: it has ${unknown.join(', ')}`;
    return [{ check, state: 'note', found, fix: 'Run the version that migrated it again when you can.' }];
  }
  if (pending.length > 0) {
    const fix = 'The next start runs them. Run them now with: quittance migrate';
    return [{ check, state: 'note', found: `${pending.length} are pending, from ${pending[0]}`, fix }];
  }
  return [{ check, state: 'ok', found: `all ${done.length} are done`, fix: null }];
}

/** Says if the search of receipts finds beginnings only, because its extensions may not be created. */
export async function checkSearch({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Finding[]> {
  if (databaseUrl === null) return [];
  const text = `select to_regclass('receipt_terms') is not null as migrated, ${HAS_PARTS_SQL} as parts`;
  const [row] = await readOnce<{ migrated: boolean; parts: boolean }>(databaseUrl, text).catch(() => []);
  if (!row?.migrated) return [];
  if (row.parts) return [{ check: 'search', state: 'ok', found: 'finds any part of a word', fix: null }];
  const found = 'finds beginnings of words only: the extensions pg_trgm and btree_gin, or their index, are missing';
  const fix = `As a role that may: create extension pg_trgm; create extension btree_gin; create index concurrently ${PARTS_INDEX} ${PARTS_INDEX_DEFINITION};`;
  return [{ check: 'search', state: 'note', found, fix }];
}

/** The names of the migrations that the database has; null if it does not answer. */
async function readDone(connectionString: string): Promise<string[] | null> {
  try {
    const rows = await readOnce<{ name: string }>(
      connectionString,
      'select name from mikro_orm_migrations order by name',
    );
    return rows.map(({ name }) => name);
  } catch (error) {
    return (error as { readonly code?: string }).code === NO_TABLE ? [] : null;
  }
}

const CHECK_VALUE = "select value from secret_checks where name = 'KEY_ENCRYPTION_KEY'";

type Keys = Pick<Config, 'databaseUrl' | 'keyEncryptionKey' | 'previousKeyEncryptionKey'>;

/**
 * Checks that `KEY_ENCRYPTION_KEY` is the one that the database was written with, or what still needs the one that it
 * replaces. Finds nothing if the database does not answer, or has not been written yet.
 */
export async function checkSecrets({
  databaseUrl,
  keyEncryptionKey,
  previousKeyEncryptionKey,
}: Keys): Promise<Finding[]> {
  if (databaseUrl === null || keyEncryptionKey === null) return [];
  const [row] = await readOnce<{ value: string }>(databaseUrl, CHECK_VALUE).catch(() => []);
  if (!row) return [];
  const check = 'KEY_ENCRYPTION_KEY';
  const isCurrent = readsWith(keyEncryptionKey, row.value);
  if (previousKeyEncryptionKey !== null && (isCurrent || readsWith(previousKeyEncryptionKey, row.value)))
    return [await findingOfUses(databaseUrl, { keyEncryptionKey, previousKeyEncryptionKey }, isCurrent)];
  if (isCurrent) return [{ check, state: 'ok', found: 'it is the key that the database was written with', fix: null }];
  const fix = 'Set the right key: no server starts with another. docs/run/backup.md says what to do if it is lost.';
  return [{ check, state: 'wrong', found: 'it is not the key that the database was written with', fix }];
}

/** What still needs the replaced key. */
async function findingOfUses(
  databaseUrl: string,
  keys: { readonly keyEncryptionKey: string; readonly previousKeyEncryptionKey: string },
  isCurrent: boolean,
): Promise<Finding> {
  const check = 'KEY_ENCRYPTION_KEY_PREVIOUS';
  const uses = (await usesOf(databaseUrl, keys)).filter(({ previous }) => previous > 0);
  if (isCurrent && uses.length === 0)
    return { check, state: 'note', found: 'nothing is encrypted with it', fix: 'Remove it, and restart the servers.' };
  const rows = uses.map(({ what, previous }) => `${previous} ${what}`).join(', ') || 'the check value of the database';
  return {
    check,
    state: 'note',
    found: `it is still needed: ${rows}`,
    fix: 'When all servers have both keys and KEY_ENCRYPTION_KEY is the new one: quittance secrets re-encrypt',
  };
}

async function usesOf(databaseUrl: string, keys: Parameters<typeof readSealedUses>[1]): Promise<SealedUse[]> {
  const orm = await createOrm(databaseUrl, entities);
  const db = createDb(databaseUrl, orm, createLog('silent'));
  try {
    return await readSealedUses(db, keys);
  } finally {
    await Promise.all([db.close(), orm.close()]);
  }
}

/** A replica that is further behind serves few lists. */
const LAG_MAX_S = 60;

/** Opens a connection; null if the database does not answer. */
async function open(connectionString: string): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => {});
    return null;
  }
}

const close = (clients: readonly (pg.Client | null)[]) =>
  Promise.all(clients.map((client) => client?.end().catch(() => {})));

/**
 * Checks that `DATABASE_URL` leads to sessions of their own, unless `DATABASE_POOLER` says otherwise: two connections
 * ask for one lock. Finds nothing if it does not answer: that is another check.
 */
export async function checkPooler({
  databaseUrl,
  databasePooler,
}: Pick<Config, 'databaseUrl' | 'databasePooler'>): Promise<Finding[]> {
  if (databaseUrl === null || databasePooler !== null) return [];
  const clients = await Promise.all([databaseUrl, databaseUrl].map(open));
  const [holder, other] = clients;
  const name = `doctor ${randomUUID()}`;
  try {
    if (!holder || !other) return [];
    await tryLock(holder, name);
    if (!(await tryLock(other, name))) return [];
    const found = 'it leads to a pooler that gives one session to several connections';
    const fix = 'Set DATABASE_POOLER=transaction and DATABASE_SESSION_URL, or name the database itself.';
    return [{ check: 'DATABASE_URL', state: 'wrong', found, fix }];
  } finally {
    await unlock(clients);
  }
}

/** A pooler would keep a lock with its session. */
async function unlock(clients: readonly (pg.Client | null)[]): Promise<void> {
  for (const client of clients) await client?.query('select pg_advisory_unlock_all()').catch(() => {});
  await close(clients);
}

/**
 * Checks `DATABASE_SESSION_URL`. A session holds a lock that two others ask for: one of the same URL gets it only if a
 * pooler gives both the same session, and one of `DATABASE_URL` only if that is another database.
 */
export async function checkSessionUrl({
  databaseUrl,
  databaseSessionUrl,
}: Pick<Config, 'databaseUrl' | 'databaseSessionUrl'>): Promise<Finding[]> {
  if (databaseUrl === null || databaseSessionUrl === null) return [];
  const check = 'DATABASE_SESSION_URL';
  const clients = await Promise.all([databaseSessionUrl, databaseSessionUrl, databaseUrl].map(open));
  const [holder, other, main] = clients;
  const name = `doctor ${randomUUID()}`;
  try {
    if (!holder || !other) {
      const fix = 'Correct DATABASE_SESSION_URL: host, port, user, password and database.';
      return [{ check, state: 'wrong', found: 'it does not answer', fix }];
    }
    if (!main) return [];
    await tryLock(holder, name);
    if (await tryLock(other, name)) {
      const fix = 'Name the database itself, or a pooler in session mode: leaders hold their locks there.';
      return [{ check, state: 'wrong', found: 'a pooler gives one session to several connections', fix }];
    }
    if (await tryLock(main, name)) {
      const fix = 'Let both URLs lead to the same database.';
      return [{ check, state: 'wrong', found: 'it is another database than DATABASE_URL', fix }];
    }
    return [{ check, state: 'ok', found: 'it is the database of DATABASE_URL, with sessions of its own', fix: null }];
  } finally {
    await unlock(clients);
  }
}

const STATE = `
  select pg_is_in_recovery() as "isReplica", (select epoch from stream_epoch) as epoch,
         extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as "sinceS",
         pg_last_wal_receive_lsn() is not distinct from pg_last_wal_replay_lsn() as "isLevel"`;

interface State {
  readonly isReplica: boolean;
  /** Differs between installations. */
  readonly epoch: string | null;
  /** Since the last transaction that was replayed; null if there was none. */
  readonly sinceS: number | null;
  /** Whether it has replayed all that it has received. */
  readonly isLevel: boolean;
}

const readState = async (client: pg.Client): Promise<State | null> =>
  (await client.query<State>(STATE).catch(() => null))?.rows[0] ?? null;

/** Checks `DATABASE_READ_URL`: that it is a replica of this installation, and how far it is behind. */
export async function checkReadUrl({
  databaseUrl,
  databaseReadUrl,
}: Pick<Config, 'databaseUrl' | 'databaseReadUrl'>): Promise<Finding[]> {
  if (databaseUrl === null || databaseReadUrl === null) return [];
  const check = 'DATABASE_READ_URL';
  const clients = await Promise.all([databaseReadUrl, databaseUrl].map(open));
  const [reader, main] = clients;
  try {
    if (!reader) {
      const fix = 'Start the replica, or correct DATABASE_READ_URL. Lists are read from DATABASE_URL meanwhile.';
      return [{ check, state: 'wrong', found: 'it does not answer', fix }];
    }
    const [state, expected] = [await readState(reader), main && (await readState(main))];
    if (!expected) return [];
    if (state === null || state.epoch !== expected.epoch) {
      const fix = 'Name a replica of the database of DATABASE_URL.';
      return [{ check, state: 'wrong', found: 'it is the database of another installation', fix }];
    }
    if (!state.isReplica) {
      const fix = 'Name a replica, or leave DATABASE_READ_URL out: it takes no load off the primary.';
      return [{ check, state: 'note', found: 'it is no replica', fix }];
    }
    const lagS = state.isLevel ? 0 : Math.round(state.sinceS ?? 0);
    const found = `a replica, ${lagS} s behind`;
    if (lagS <= LAG_MAX_S) return [{ check, state: 'ok', found, fix: null }];
    return [{ check, state: 'wrong', found, fix: 'Check the load of the replica, and long queries there.' }];
  } finally {
    await close(clients);
  }
}

/** The blocks that the watcher reads at once, and how far it reads back after an outage of some hours. */
const RANGE_BLOCKS = 1_000n;
const DEPTH_BLOCKS = 10_000n;
const SKEW_MAX_MS = 5 * 60_000;
const ANY_ADDRESS = '0x000000000000000000000000000000000000dEaD';

/** Checks each RPC endpoint, and with the first that works: tokens, clock, wallets and addresses. */
export async function checkChain(config: Config): Promise<Finding[]> {
  const { chainId, rpcUrl, rpcFallbackUrls } = config;
  if (rpcUrl === null)
    return [{ check: 'chain', state: 'ok', found: 'the embedded chain, which the server starts', fix: null }];
  const urls = [rpcUrl, ...rpcFallbackUrls];
  const chains = urls.map((url) => createChain({ ...config, rpcUrl: url, rpcFallbackUrls: [] }));
  const endpoints = await Promise.all(chains.map((chain, i) => checkEndpoint(chain, new URL(urls[i]!).host)));
  const working = chains.find((_, i) => endpoints[i]!.every(({ state }) => state !== 'wrong'));
  if (!working) return endpoints.flat();
  const rest = [
    checkTokens(working),
    checkClock(working),
    checkGas(working, config),
    checkPlatform(working, config),
    checkAddresses(working, config),
  ];
  const local = isLocalChain(chainId);
  return [...endpoints.flat(), ...(await Promise.all(local ? rest.slice(0, 1) : rest)).flat()];
}

interface CallError extends NodeJS.ErrnoException {
  readonly shortMessage?: string;
  /** Of an HTTP answer. */
  readonly status?: number;
  readonly cause?: CallError;
}

/** Why a call failed, without the endpoint's address, which may include a key. */
function reasonOf(error: unknown): string {
  const { shortMessage, status, message } = error as CallError;
  for (let cause = error as CallError | undefined; cause; cause = cause.cause)
    if (cause.syscall !== undefined) return cause.message;
  const reason = shortMessage ?? message.split('\n')[0] ?? 'unknown';
  return status === undefined ? reason : `${reason} (HTTP status ${status})`;
}

async function checkEndpoint({ client, chainId }: Chain, host: string): Promise<Finding[]> {
  const check = `RPC ${host}`;
  let head: bigint;
  try {
    const served = await client.getChainId();
    if (served !== chainId)
      return [
        {
          check,
          state: 'wrong',
          found: `it serves chain ${served}`,
          fix: `Set the endpoint of chain ${chainId}, or CHAIN_ID=${served}.`,
        },
      ];
    head = await client.getBlockNumber();
  } catch (error) {
    const fix = 'Check the URL, its key and its limits, or use another endpoint.';
    return [{ check, state: 'wrong', found: `it does not answer: ${reasonOf(error)}`, fix }];
  }
  const floor = (blocks: bigint) => (head > blocks ? head - blocks : 0n);
  const logs = (from: bigint, to: bigint) =>
    client.getLogs({ address: ANY_ADDRESS, fromBlock: from, toBlock: to }).then(
      () => null,
      (error: unknown) => reasonOf(error),
    );
  const [range, depth] = await Promise.all([
    logs(floor(RANGE_BLOCKS - 1n), head),
    logs(floor(DEPTH_BLOCKS), floor(DEPTH_BLOCKS)),
  ]);
  return [
    { check, state: 'ok', found: `chain ${chainId}, block ${head}`, fix: null },
    {
      check: `${check}: log ranges`,
      state: range === null ? 'ok' : 'note',
      found:
        range === null ? `logs of ${RANGE_BLOCKS} blocks in one read` : `no logs of ${RANGE_BLOCKS} blocks: ${range}`,
      fix: range === null ? null : 'The watcher reads smaller ranges. Use another endpoint if it falls behind.',
    },
    {
      check: `${check}: history`,
      state: depth === null ? 'ok' : 'wrong',
      found: depth === null ? `logs of ${DEPTH_BLOCKS} blocks ago` : `no logs of ${DEPTH_BLOCKS} blocks ago: ${depth}`,
      fix: depth === null ? null : 'Use an endpoint that keeps logs: payments of an outage could not be found.',
    },
  ];
}

async function checkTokens(chain: Chain): Promise<Finding[]> {
  const fault = await findTokenFault(chain).catch(reasonOf);
  const symbols = chain.tokens.map(({ symbol }) => symbol).join(', ');
  return [
    {
      check: 'tokens',
      state: fault === null ? 'ok' : 'wrong',
      found: fault ?? `${symbols} are as their contracts say`,
      fix: fault === null ? null : 'Correct TOKENS: address, decimals and symbol. Until then no token is offered.',
    },
  ];
}

async function checkClock({ client }: Chain): Promise<Finding[]> {
  const { timestamp } = await client.getBlock();
  const skewMs = Date.now() - Number(timestamp) * 1000;
  const off = Math.abs(skewMs) > SKEW_MAX_MS;
  return [
    {
      check: 'clock',
      state: off ? 'wrong' : 'ok',
      found: `${Math.round(skewMs / 1000)} s after the newest block`,
      fix: off ? 'Correct the clock (NTP). If it is right, the endpoint has stopped: use another one.' : null,
    },
  ];
}

async function checkGas(chain: Chain, settings: Config): Promise<Finding[]> {
  const wallets = await readGasWallets({ chains: [chain], settings });
  return wallets.map(({ role, address, balance, low }) => ({
    check: `gas of the ${role} wallet on chain ${chain.chainId}`,
    state: low ? ('wrong' as const) : ('ok' as const),
    found: `${address} has ${balance ?? 'an unknown number of'} native coins`,
    fix: low ? `Send native coins of chain ${chain.chainId} to ${address}.` : null,
  }));
}

/** Checks that the platform's share in coins can be paid out: a contract may take none, as that of a token. */
async function checkPlatform(chain: Chain, { platformRecipient }: Config): Promise<Finding[]> {
  const isPaid = chain.tokens.some(({ address }) => address === null || address === platformRecipient);
  if (platformRecipient === null || !isPaid) return [];
  const asked = await askStranger(chain, { to: platformRecipient, gas: RELEASE_GAS_MAX }).catch(() => null);
  if (asked?.kind !== 'failed') return [];
  const check = `PLATFORM_RECIPIENT on chain ${chain.chainId}`;
  const found = 'it is a contract that takes no coins: they would stay in the splits';
  return [{ check, state: 'wrong', found, fix: 'Set PLATFORM_RECIPIENT to a wallet that receives coins.' }];
}

/** Checks whether receipts have addresses on a chain, and what is missing for them. */
async function checkAddresses(chain: Chain, settings: Pick<Config, 'settlementPrivateKey'>): Promise<Finding[]> {
  const check = `receipt addresses on chain ${chain.chainId}`;
  try {
    return [{ check, ...(await examineAddresses(chain, settings)) }];
  } catch (error) {
    const fix = 'Use another endpoint. Until it answers, nothing is offered there.';
    return [{ check, state: 'wrong', found: `they cannot be checked: ${messageOf(error)}`, fix }];
  }
}

/** Throws `chain_unavailable`. */
async function examineAddresses(
  chain: Chain,
  { settlementPrivateKey }: Pick<Config, 'settlementPrivateKey'>,
): Promise<Omit<Finding, 'check'>> {
  const { address } = receiptFactoryDeployment();
  if (await isDeployed(chain, address)) {
    const fault = await whyNoAddresses(chain);
    return fault === null
      ? { state: 'ok', found: `the factory at ${address} makes the computed addresses`, fix: null }
      : { state: 'wrong', found: fault, fix: `Remove chain ${chain.chainId}: nothing is offered there.` };
  }
  if (!(await isDeployed(chain, DEPLOYER)))
    return {
      state: 'wrong',
      found: `the deterministic deployer is not at ${DEPLOYER}, and without it there is no factory`,
      fix: 'Deploy it as https://github.com/Arachnid/deterministic-deployment-proxy says. Until then nothing is offered.',
    };
  const found = `the factory is not at ${address}; its deployment costs ${await deploymentCost(chain)}`;
  if (settlementPrivateKey !== null)
    return { state: 'ok', found: `${found}, which the settlement wallet pays`, fix: null };
  const fix = 'Send what `quittance address factory` prints, from any wallet, or set SETTLEMENT_PRIVATE_KEY.';
  return { state: 'wrong', found, fix };
}

/** About, at present prices. */
async function deploymentCost(chain: Chain): Promise<string> {
  const { to, data } = deploymentTransaction(receiptFactoryDeployment());
  const [gas, costOf] = await Promise.all([
    reach(chain.client.estimateGas({ to: toAddress(to), data })),
    readTransactionCost(chain),
  ]);
  if (costOf === null) return `${gas} gas`;
  const coin = nativeCoin(chain);
  return `about ${toDecimal(costOf({ gas, bytes: data.length / 2 }), coin.decimals)} ${coin.symbol} (${gas} gas)`;
}
