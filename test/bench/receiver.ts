/**
 * A webhook receiver that takes everything. A GET answers how many deliveries came. Started by the bench with `PORT`.
 */
import { createServer } from 'node:http';

let deliveries = 0;
createServer((request, response) => {
  if (request.method === 'GET') return response.end(String(deliveries));
  request.resume();
  request.on('end', () => {
    deliveries++;
    response.writeHead(204).end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
