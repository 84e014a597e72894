import { merchantOf } from '../core/caller.ts';
import { SCOPES } from '../core/scopes.ts';
import type { Wallet } from '../core/wallet.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../graphql/global-id.ts';
import { OUTSIDE_POINTS } from '../graphql/rate.ts';
import { currentDependencies, type Dependencies, overall } from './dependencies.ts';
import { version } from './version.ts';

interface Status {
  readonly status: string;
  readonly time: number;
  readonly merchant: Wallet;
  readonly scopes: readonly string[];
  readonly dependencies: Dependencies;
}

const DependenciesType = builder.objectRef<Dependencies>('Dependencies').implement({
  description: 'The state of each dependency: `up`, `down`, or `off` if it is not used.',
  ...throughParent,
  fields: (t) => ({
    database: t.exposeString('database', { description: 'PostgreSQL.' }),
    redis: t.exposeString('redis', { description: 'Redis; `off` without `REDIS_URL`.' }),
    chain: t.exposeString('chain', { description: 'The RPC endpoint of the chain.' }),
    watcher: t.exposeString('watcher', {
      description: 'Whether payments on the chain are detected: `down` if the watcher lags behind the chain.',
    }),
  }),
});

const StatusType = builder.objectRef<Status>('ServiceStatus').implement({
  description: 'The status of the service, and the caller.',
  authScopes: { key: true, admin: true },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('ServiceStatus', merchantOf(caller)),
    }),
    status: t.exposeString('status', { description: '`ok`, `degraded` or `unavailable`.' }),
    version: t.string({ description: 'The version of the server.', resolve: () => version }),
    time: t.field({ type: 'Millis', description: 'The server’s time.', resolve: (status) => status.time }),
    merchant: t.field({
      type: 'Wallet',
      description: 'The merchant that owns the key.',
      resolve: (status) => status.merchant,
    }),
    scopes: t.stringList({ description: 'The scopes of the key.', resolve: (status) => [...status.scopes] }),
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
    authScopes: { key: true, admin: true },
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
