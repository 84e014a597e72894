/**
 * The bare twin of the fan-out: `ws` with one subscription to Redis, whose messages go to every socket as they are. It
 * authenticates no one and executes nothing.
 */
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { WebSocketServer } from 'ws';

const server = createServer((_request, response) => response.end('ok'));
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => {
  // A client is acknowledged, as it is by the server, so that both are asked the same.
  socket.once('message', () => socket.send('{"type":"connection_ack"}'));
});

const redis = new Redis(process.env.REDIS_URL as string);
await redis.subscribe(process.env.CHANNEL as string);
redis.on('message', (_channel: string, message: string) => {
  for (const socket of sockets.clients) socket.send(message);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
