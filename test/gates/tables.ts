import type { GraphQLObjectType } from 'graphql';
import { getAddress } from 'viem';
import { AUDIT_ACTIONS } from '../../src/audit/actions.ts';
import { toAddress } from '../../src/chain/address.ts';
import { explorerUrl } from '../../src/chain/explorers.ts';
import { baseBlocks, blocksOf, type ChainPace, knownPaces } from '../../src/chain/finality.ts';
import { KNOWN_TOKENS } from '../../src/chain/known-tokens.ts';
import { defaultPriceFeeds } from '../../src/chain/price-feeds.ts';
import { defaultSpendPermissionManager } from '../../src/chain/spend-permissions.ts';
import { CHARGE } from '../../src/charges/lifecycle.ts';
import { walk } from '../../src/cli/demo.ts';
import type { Guards } from '../../src/core/caller.ts';
import { errorAdvice } from '../../src/core/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../../src/core/errors.ts';
import { FORBIDDEN_REASONS, KEY_REASONS, SESSION_REASONS } from '../../src/core/forbidden.ts';
import type { Lifecycle } from '../../src/core/lifecycle.ts';
import { PERMISSIONS, type Permission, ROLE_NAMES, ROLES_WITH } from '../../src/core/roles.ts';
import type { Wallet } from '../../src/core/wallet.ts';
import type { ColumnKind } from '../../src/exports/column.ts';
import { columnsOf, ROWS_NAMES, type RowsName } from '../../src/exports/export-receipts.ts';
import { LIMITS } from '../../src/graphql/limits.ts';
import { rateOf } from '../../src/graphql/rate.ts';
import { METRICS } from '../../src/metrics/table.ts';
import { FAILURE_SOURCES } from '../../src/onramp/failure-sources.ts';
import { CARD_SESSION } from '../../src/onramp/lifecycle.ts';
import { ALARMS } from '../../src/operators/alarms.ts';
import { DEFAULT_RATE_LIMITS } from '../../src/platform/config/rate-limits.ts';
import type { RETENTION_VARIABLES } from '../../src/platform/config/retention.ts';
import { variables } from '../../src/platform/config/variables.ts';
import { failureCatalogue } from '../../src/receipts/failures.ts';
import {
  ENDPOINT_STATUS,
  OPEN_TRACKING,
  RECEIPT,
  RECORD_STATUS,
  TRACKING,
  WEBHOOK_STATUS,
  WEBHOOK_TRACKING,
} from '../../src/receipts/lifecycle.ts';
import { BILLING_FIELDS, OPTIONS } from '../../src/receipts/options.ts';
import { REFUND } from '../../src/refunds/lifecycle.ts';
import { rateOfRow } from '../../src/rest/rate.ts';
import type { Access } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes.ts';
import { KEPT } from '../../src/retention/kept.ts';
import { CLOSES, LIMIT_WORDS, LIVE_LIMITS } from '../../src/server/live-limits.ts';
import { schema } from '../../src/server/schema.ts';
import { TRANSACTION } from '../../src/spender/lifecycle.ts';
import { SUBSCRIPTION } from '../../src/subscriptions/lifecycle.ts';
import { ENDPOINT } from '../../src/webhooks/endpoints/lifecycle.ts';
import { EVENT_KINDS } from '../../src/webhooks/events/kinds.ts';
import { DELIVERY } from '../../src/webhooks/lifecycle.ts';
import { contractTable } from './contract.ts';
import { importPicture } from './picture.ts';

/** A Markdown table. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;
const codes = (texts: Iterable<string>): string => [...texts].map(code).join(', ');

/** The default confirmations of each chain, with their expected times. */
function confirmationsTable(): string {
  const tier = ({ finality, tagBlocks, blockMs }: ChainPace, { fromCents, depth }: ChainPace['finality'][number]) => {
    const blocks = Math.max(baseBlocks(finality, 0), blocksOf(depth, { tagBlocks }));
    const seconds = Math.round((blocks * blockMs) / 1000);
    const time = seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    const needed = typeof depth === 'number' ? `${depth} blocks` : code(depth);
    return `${fromCents === 0 ? '' : `from $${fromCents / 100}: `}${needed} (${time})`;
  };
  return table(
    ['Chain', 'Default (expected time)', 'Blocks of `safe`, `finalized`'],
    knownPaces().map(([id, pace]) => [
      id === null ? pace.name : `${pace.name} (${id})`,
      pace.finality.map((one) => tier(pace, one)).join('; '),
      `${pace.tagBlocks.safe}, ${pace.tagBlocks.finalized}`,
    ]),
  );
}

/** The known public chains with what is known of each. */
function networksTable(): string {
  const nameOf = new Map(knownPaces());
  return table(
    ['Chain', 'Block time', 'Block explorer', 'Price feeds', 'Plans'],
    [...KNOWN_TOKENS.keys()].map((chainId) => {
      const { name, blockMs } = nameOf.get(chainId)!;
      const explorer = explorerUrl(chainId);
      const feeds = [...defaultPriceFeeds(chainId)].map(
        ([currency, address]) => `${currency} ${code(getAddress(toAddress(address)))}`,
      );
      return [
        `${name} (${chainId})`,
        `${blockMs / 1000} s`,
        explorer === null ? 'none' : `<${explorer}>`,
        feeds.join(', ') || 'none',
        defaultSpendPermissionManager(chainId) === null ? '' : '✓',
      ];
    }),
  );
}

/** The known public chains with their tokens, and where each address comes from. */
function chainsTable(): string {
  const nameOf = new Map(knownPaces());
  return table(
    ['Chain', 'Token', 'Decimals', 'Address', 'Source'],
    [...KNOWN_TOKENS].flatMap(([chainId, tokens]) =>
      tokens.map(({ symbol, decimals, address, onChainSymbol, source }) => [
        `${nameOf.get(chainId)?.name ?? 'chain'} (${chainId})`,
        onChainSymbol === undefined ? symbol : `${symbol} (${code(onChainSymbol)})`,
        String(decimals),
        address === null ? 'the native coin' : code(getAddress(address)),
        address === null ? '' : `<${source}>`,
      ]),
    ),
  );
}

/** Every lifecycle, by the name of its diagram in the documents. */
const LIFECYCLES = {
  receipt: RECEIPT,
  delivery: DELIVERY,
  'webhook-endpoint': ENDPOINT,
  refund: REFUND,
  'card-session': CARD_SESSION,
  subscription: SUBSCRIPTION,
  charge: CHARGE,
  transaction: TRANSACTION,
} as const satisfies Record<string, Lifecycle<string>>;

function diagram({ first, moves }: Lifecycle<string>): string {
  const begin = first.map((status) => `  [*] --> ${status}`);
  const arrows = Object.entries(moves).flatMap(([from, targets]) => targets.map((to) => `  ${from} --> ${to}`));
  return ['```mermaid', 'stateDiagram-v2', ...begin, ...arrows, '```'].join('\n');
}

const CALLERS: Readonly<Record<Exclude<Access['kind'], 'scope'>, string>> = {
  public: 'anyone',
  key: 'any key, or admin',
  admin: 'admin',
  till: 'admin, or platform admin',
  session: 'any session',
  subscribing: 'any key, any session, or a plan’s page',
  timer: '`x-cron-secret`',
};

const callersOf = (access: Access): string =>
  access.kind === 'scope' ? `${code(access.scope)}, or admin` : CALLERS[access.kind];

/** The documents' names for the guards of the schema. */
const GUARDS: Readonly<Record<string, string>> = {
  public: 'anyone',
  key: 'any key',
  member: 'any member',
  memberWrite: 'any member',
  session: 'any session',
  sessionWrite: 'any session',
  platform: 'platform admin',
  platformWrite: 'platform admin',
  buyer: 'page token',
  buyerWrite: 'page token that may write',
  subscriber: 'a plan’s page',
  visitor: 'the live page',
  internal: 'cron secret',
};

function fieldsOf(type: GraphQLObjectType | null | undefined): string {
  // Keys cannot run mutations over GraphQL. The scopes of mutations are for REST.
  const mutations = type === schema.getMutationType();
  const rows = Object.values(type?.getFields() ?? {})
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((field) => {
      const { authScopes } = field.extensions.pothosOptions as { authScopes: Record<string, unknown> };
      const callers = Object.entries(authScopes).flatMap(([guard, value]) => {
        if (guard.startsWith('may')) return `a role with ${code(String(value))}`;
        if (guard !== 'scope') return GUARDS[guard] as string;
        return mutations ? [] : code(String(value));
      });
      const limit = mutations ? [code(rateOf(field, 'mutation'))] : [];
      return [code(field.name), callers.join(', '), ...limit, field.description ?? ''];
    });
  return table(['Field', 'Permission', ...(mutations ? ['Limit'] : []), 'Description'], rows);
}

const yes = (holds: boolean): string => (holds ? '✓' : '');

/** What each role includes. */
function rolesTable(): string {
  const rows = Object.entries(PERMISSIONS).map(([permission, what]) => [
    code(permission),
    what,
    ...ROLE_NAMES.map((role) => yes(ROLES_WITH[permission as Permission].includes(role))),
  ]);
  return table(['Permission', 'What it includes', ...ROLE_NAMES], rows);
}

/** The GraphQL fields that each role opens. */
function roleFieldsTable(): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const rows = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((field) => {
        const guards = (field.extensions.pothosOptions as { authScopes: Guards }).authScopes;
        const permission = guards.may ?? guards.mayWrite ?? guards.maySign;
        const roles = guards.member || guards.memberWrite ? ROLE_NAMES : permission && ROLES_WITH[permission];
        return roles ? [[code(field.name), ...ROLE_NAMES.map((role) => yes(roles.includes(role)))]] : [];
      }),
  );
  return table(['Field', ...ROLE_NAMES], rows);
}

const KINDS: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  word: 'text',
  time: 'time',
  amount: 'amount',
  count: 'whole number',
  decimal: 'decimal',
};

const exportTable = (rows: RowsName): string =>
  table(
    ['Column', 'Holds', 'Description'],
    columnsOf(rows).map(({ name, kind, about }) => [code(name), KINDS[kind], about]),
  );

/** The default of a variable in days. */
function keptFor(variable: keyof typeof RETENTION_VARIABLES): string {
  const { unset } = variables[variable];
  return Number.isNaN(Number(unset)) ? `${unset} by default:` : `${unset} days`;
}

/** Every generated part of the documents, by the name of its marker. */
export const tables: Readonly<Record<string, () => string>> = {
  walk: () =>
    `\`\`\`text\n${walk(
      { merchant: '0x…' as Wallet, key: 'qk_…', planId: 'plan_…' },
      { url: 'http://localhost:4000', localRpcUrl: 'http://127.0.0.1:2…', chainId: 31337 },
    )
      .replace(/^\n+|\s+$/g, '')
      .replace(/^ {2}/gm, '')}\n\`\`\``,
  configuration: () =>
    table(
      ['Variable', 'Default', 'Description', 'Example'],
      Object.entries(variables).map(([name, { unset, doc, example }]) => [code(name), unset, doc, code(example)]),
    ),
  metrics: () =>
    table(
      ['Metric', 'Type', 'Labels', 'Source', 'Description'],
      Object.entries(METRICS).map(([name, { type, labels, source, help }]) => [
        code(name),
        type,
        codes(labels),
        source,
        help,
      ]),
    ),
  confirmations: confirmationsTable,
  'known-networks': networksTable,
  'known-chains': chainsTable,
  'rate-limits': () =>
    table(
      ['Category', 'Requests per minute'],
      Object.entries(DEFAULT_RATE_LIMITS).map(([name, limit]) => [code(name), String(limit)]),
    ),
  ...Object.fromEntries(Object.entries(LIFECYCLES).map(([name, one]) => [`${name}-lifecycle`, () => diagram(one)])),
  alarms: () =>
    table(
      ['Alarm', 'What to do'],
      Object.entries(ALARMS).map(([alarm, action]) => [code(alarm), action]),
    ),
  retention: () =>
    table(
      ['Table', 'Kept', 'Variable'],
      Object.entries(KEPT).map(([name, { until, variable }]) => [
        code(name),
        variable === undefined ? until : `${keptFor(variable)} ${until}`,
        variable === undefined ? '' : code(variable),
      ]),
    ),
  'audit-actions': () =>
    table(
      ['Action', 'What was done'],
      Object.entries(AUDIT_ACTIONS).map(([action, what]) => [code(action), what]),
    ),
  ...Object.fromEntries(ROWS_NAMES.map((rows) => [`export-${rows}`, () => exportTable(rows)])),
  'event-kinds': () =>
    table(
      ['Type', 'What happened'],
      Object.entries(EVENT_KINDS).map(([kind, what]) => [code(kind), what]),
    ),
  moves: () =>
    table(
      ['From', 'To'],
      Object.entries(RECEIPT.moves).map(([from, targets]) => [
        code(from),
        targets.length > 0 ? codes(targets) : 'none (final)',
      ]),
    ),
  vocabularies: () =>
    table(
      ['GraphQL `status`', 'Receipt records, GraphQL `recordStatus`', '`GET /api/receipts/status`', 'Webhook'],
      RECEIPT.statuses.map((status) => [
        code(status),
        code(RECORD_STATUS[status]),
        code(ENDPOINT_STATUS[status]),
        WEBHOOK_STATUS[status] === undefined ? 'none' : code(WEBHOOK_STATUS[status]),
      ]),
    ),
  tracking: () =>
    table(
      ['Report', 'Permission', 'Webhook'],
      TRACKING.map((name) => [
        code(name),
        OPEN_TRACKING.has(name) ? '`receipts:write`, the page itself, or admin' : 'admin',
        WEBHOOK_TRACKING.has(name) ? code(name) : 'none',
      ]),
    ),
  errors: () =>
    table(
      ['`error`', 'HTTP', 'Default message', 'What to do'],
      Object.entries(errorCatalogue).map(([name, [status, sentence]]) => [
        code(name),
        String(status),
        sentence,
        errorAdvice[name as ErrorCode],
      ]),
    ),
  'forbidden-reasons': () =>
    table(
      ['`error`', '`reason`', 'meaning'],
      [
        ...Object.entries(FORBIDDEN_REASONS).map(([name, meaning]) => [code('forbidden'), code(name), meaning]),
        ...Object.entries({ ...SESSION_REASONS, ...KEY_REASONS }).map(([name, meaning]) => [
          code('unauthorized'),
          code(name),
          meaning,
        ]),
      ],
    ),
  failures: () =>
    table(
      ['`failureCode`', '`failureCategory`', '`failureReason`', '`failureAction`'],
      Object.entries(failureCatalogue).map(([name, [category, reason, action]]) => [
        code(name),
        code(category),
        reason,
        action,
      ]),
    ),
  'failure-sources': () =>
    table(
      ['`failureCode`', 'Card provider', 'Wallet', 'Other'],
      Object.entries(FAILURE_SOURCES).map(([name, { card = [], wallet = [], message, by }]) => [
        code(name),
        codes(card),
        [
          ...wallet.map((number) => code(String(number))),
          ...(message ? [`a message that matches ${code(message.source)}`] : []),
        ].join(', '),
        by ?? '',
      ]),
    ),
  contract: () => contractTable(),
  imports: importPicture,
  roles: rolesTable,
  'role-fields': roleFieldsTable,
  routes: () =>
    table(
      ['Route', 'Permission', 'Limit', 'Description'],
      routes.map((row) => [
        code(`${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}`),
        callersOf(row.access),
        code(rateOfRow(schema, row)),
        row.detail === undefined ? row.summary : `${row.summary}. ${row.detail}`,
      ]),
    ),
  options: () =>
    table(
      ['Parameter', 'Names, in order of priority'],
      OPTIONS.map(({ about, aliases }) => [about, codes(aliases)]),
    ),
  'billing-fields': () => codes(BILLING_FIELDS),
  'graphql-limits': () =>
    table(
      ['Limit', 'Maximum'],
      Object.entries(LIMITS).map(([name, most]) => [name, most.toLocaleString('en-US')]),
    ),
  'close-codes': () =>
    table(
      ['Code', 'Reason', 'Cause', 'Reconnect'],
      Object.values(CLOSES).map(({ code: number, reason, when, again }) => [String(number), reason, when, again]),
    ),
  'live-limits': () =>
    table(
      ['Limit', 'Maximum'],
      Object.entries(LIMIT_WORDS).map(([name, [what, unit]]) => [
        what,
        `${LIVE_LIMITS[name as keyof typeof LIVE_LIMITS].toLocaleString('en-US')} ${unit}`.trim(),
      ]),
    ),
  queries: () => fieldsOf(schema.getQueryType()),
  mutations: () => fieldsOf(schema.getMutationType()),
  subscriptions: () => fieldsOf(schema.getSubscriptionType()),
};
