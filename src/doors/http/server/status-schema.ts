import { merchantOf } from '../../../base/core/caller.ts';
import { SCOPES, type Scope } from '../../../base/core/scopes.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { ScopeEnum, vocabulary } from '../../../base/graphql/vocabulary.ts';
import {
  type ChainHealth,
  currentDependencies,
  type Dependencies,
  type DependencyState,
  type Health,
  overall,
} from '../../../domain/operations/operators/dependencies.ts';
import { version } from './version.ts';

interface Status {
  readonly status: Health;
  readonly time: number;
  readonly merchant: Wallet;
  readonly scopes: readonly Scope[];
  readonly dependencies: Dependencies;
}

const StateEnum = vocabulary('DependencyState', 'The state of something that the service depends on.', {
  up: 'It works.',
  down: 'It does not answer, or lags behind.',
  off: 'It is not used.',
} satisfies Record<DependencyState, string>);

const HealthEnum = vocabulary('ServiceHealth', 'The state of the service.', {
  ok: 'Everything works.',
  degraded: 'The database works, something else does not.',
  unavailable: 'The database does not answer.',
} satisfies Record<Health, string>);

const ChainHealthType = builder.objectRef<ChainHealth>('ChainHealth').implement({
  description: 'The state of one chain.',
  ...throughParent,
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    chain: t.expose('chain', { type: StateEnum, description: 'Its RPC endpoint.' }),
    watcher: t.expose('watcher', { type: StateEnum, description: 'Whether payments on it are detected.' }),
  }),
});

const DependenciesType = builder.objectRef<Dependencies>('Dependencies').implement({
  description: 'The state of each dependency: `up`, `down`, or `off` if it is not used.',
  ...throughParent,
  fields: (t) => ({
    database: t.expose('database', { type: StateEnum, description: 'PostgreSQL.' }),
    redis: t.expose('redis', { type: StateEnum, description: 'Redis; `off` without `REDIS_URL`.' }),
    chain: t.expose('chain', { type: StateEnum, description: 'The RPC endpoint of the first chain.' }),
    watcher: t.expose('watcher', {
      type: StateEnum,
      description: 'Whether payments on the first chain are detected: `down` if the watcher lags behind the chain.',
    }),
    chains: t.field({
      type: [ChainHealthType],
      description: 'The state of every chain, the first one first.',
      resolve: ({ chains }) => [...chains],
    }),
  }),
});

const StatusType = builder.objectRef<Status>('ServiceStatus').implement({
  description: 'The status of the service, and the caller.',
  authScopes: { key: true, member: true },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('ServiceStatus', merchantOf(caller)),
    }),
    status: t.expose('status', { type: HealthEnum, description: '`ok`, `degraded` or `unavailable`.' }),
    version: t.string({ description: 'The version of the server.', resolve: () => version }),
    time: t.field({ type: 'Millis', description: 'The server’s time.', resolve: (status) => status.time }),
    merchant: t.field({
      type: 'Wallet',
      description: 'The merchant that owns the key.',
      resolve: (status) => status.merchant,
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: 'The scopes of the key.',
      resolve: (status) => [...status.scopes],
    }),
    dependencies: t.field({
      type: DependenciesType,
      description: 'What the service depends on.',
      resolve: (status) => status.dependencies,
    }),
  }),
});

builder.queryFields((t) => ({
  statusPing: t.field({
    complexity: OUTSIDE_POINTS,
    type: StatusType,
    description: 'The service’s status and diagnostics, for any valid key.',
    authScopes: { key: true, member: true },
    resolve: async (_root, _args, context) => {
      const dependencies = await currentDependencies(context);
      const { caller } = context;
      return {
        status: overall(dependencies),
        time: context.clock(),
        merchant: merchantOf(caller),
        scopes: caller.kind === 'developer' ? SCOPES.filter((scope) => caller.scopes.has(scope)) : [],
        dependencies,
      };
    },
  }),
}));
