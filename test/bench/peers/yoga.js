import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { resolvers, typeDefs } from './receipt-schema.js';

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false });
createServer((request, response) => (request.url === '/' ? response.end('ok') : yoga(request, response))).listen(
  Number(process.env.PORT),
  '127.0.0.1',
);
