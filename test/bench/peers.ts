import { join } from 'node:path';
import { installPackages, packagesFolder } from '../support/services/installed-packages.ts';
import type { Environment, Shop } from './environment.ts';
import { contestant } from './measure.ts';
import { GRAPHQL, graphqlRequests } from './paths.ts';
import { type BenchProgram, startProgram } from './programs.ts';
import { compare } from './rounds.ts';
import { checkSameBytes } from './same-bytes.ts';
import type { Line } from './table.ts';

/** The peers run outside of the project, which has none of their packages. */
const NAME = 'bench-peers';
const peer = (file: string): string => join(packagesFolder(NAME), file);

/** Servers of other libraries that answer the GraphQL request of the bench. */
export const GRAPHQL_PEERS = ['mercurius', 'yoga', 'graphql-http'].map((library) => ({
  library,
  name: `${library}: ${GRAPHQL.name}`,
}));

/**
 * Servers of other libraries that send presence events to sockets. Without a greeting, they speak GraphQL's protocol.
 */
export const SOCKET_PEERS: readonly { library: string; file: string; path: string; greeting?: readonly string[] }[] = [
  { library: 'graphql-ws and yoga', file: peer('graphql-ws-yoga.js'), path: '/graphql' },
  {
    library: 'socket.io',
    file: peer('socket-io.js'),
    path: '/socket.io/?EIO=4&transport=websocket',
    // Engine.IO: `40` connects to the default namespace.
    greeting: ['40'],
  },
];

/** Copies the peers, and installs their packages unless the installed ones are those of the lockfile. */
export function installPeers(): void {
  installPackages(NAME, join(import.meta.dirname, 'peers'));
}

/** The same GraphQL request to each peer, in comparison with the bare twin. */
export async function benchGraphqlPeers(
  { env, databasePid }: Environment,
  shop: Shop,
  twin: BenchProgram,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  wanted: typeof GRAPHQL_PEERS,
  add: (line: Line) => void,
): Promise<void> {
  const { connections } = GRAPHQL;
  const theirLoad = { port: twin.port, connections, next: GRAPHQL.twin(shop) };
  for (const { library, name } of wanted) {
    const server = await startProgram(peer(`${library}.js`), { ...env, MERCHANT: shop.wallet });
    try {
      const load = { port: server.port, connections, next: graphqlRequests(shop, '/graphql') };
      await checkSameBytes({ ...GRAPHQL, name }, load, theirLoad);
      const measuring = { seconds, databasePid };
      const ours = await contestant({ pid: server.pid, load }, measuring);
      const theirs = await contestant({ pid: twin.pid, load: theirLoad }, measuring);
      add({ name, against: 'bare twin', ...(await compare(rounds, ours, theirs)), memoryMiB: server.memoryMiB() });
    } finally {
      await server.stop();
    }
  }
}
