/**
 * The bare twin of heartbeats: plain `node:http` that reads a wallet and writes it into a sorted set, with ioredis
 * sending its commands in pipelines. No sessions, no checks. Started by the bench with `PORT` and `REDIS_URL`.
 */
import { createServer } from 'node:http';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL as string, { enableAutoPipelining: true });
const ANSWER = JSON.stringify({ data: { heartbeat: true } });
const HEADERS = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) };

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', async () => {
    if (text !== '') await redis.zadd('twin:heartbeats', Date.now(), (JSON.parse(text) as { wallet: string }).wallet);
    response.writeHead(200, HEADERS).end(ANSWER);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
