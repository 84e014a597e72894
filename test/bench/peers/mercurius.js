import fastify from 'fastify';
import mercurius from 'mercurius';
import { resolvers, typeDefs } from './receipt-schema.js';

const app = fastify();
// Mercurius compiles a query after this number of requests.
app.register(mercurius, { schema: typeDefs, resolvers, jit: 1 });
app.get('/', () => 'ok');
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
