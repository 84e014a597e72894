import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { onPresence } from './presence.js';

const server = createServer((_request, response) => response.end('ok'));
// The clients of the bench do not answer the pings of Engine.IO.
const io = new Server(server, { transports: ['websocket'], pingInterval: 3_600_000 });
await onPresence((event) => io.emit('presence', event));
server.listen(Number(process.env.PORT), '127.0.0.1');
