import { createServer } from 'node:http';
import { buildSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { readReceipt, typeDefs } from './receipt-schema.js';

const handler = createHandler({
  schema: buildSchema(typeDefs),
  rootValue: { receipt: ({ receiptId }) => readReceipt(receiptId) },
});
createServer((request, response) => (request.url === '/' ? response.end('ok') : handler(request, response))).listen(
  Number(process.env.PORT),
  '127.0.0.1',
);
