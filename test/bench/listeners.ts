/**
 * A process with many connected websockets. On `{ open }` it opens sockets; on `{ expect }` it counts the messages of a
 * round, with latencies if asked, and answers when all were received. It implements only the needed part of the
 * protocol, over plain sockets, because expensive clients would limit the result.
 */
import { createConnection, type Socket } from 'node:net';

const PORT = Number(process.env.PORT);
const PATH = process.env.SOCKET_PATH as string;
/** The messages that a socket sends after opening, each after the answer to the one before. */
const HELLO = JSON.parse(process.env.HELLO as string) as string[];
/** Sockets that are opened at the same time, so that the server's backlog is never full. */
const OPENING = 50;

/** A command of the bench. */
export type Command = { readonly open: number } | { readonly expect: number; readonly latencies: boolean };
/** The answer. */
export interface Received {
  readonly tookMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What precedes the time of publication in a message, in milliseconds since the epoch. */
const MARK = Buffer.from('"displayName":"');

let awaited = Number.POSITIVE_INFINITY;
let latencies: number[] | null = null;
let begunMs = 0;
let counted = 0;
const now = () => performance.timeOrigin + performance.now();

function received(bytes: Buffer, from: number, to: number): void {
  const mark = bytes.subarray(from, to).indexOf(MARK);
  if (mark < 0) return;
  if (latencies) {
    const start = from + mark + MARK.length;
    latencies.push(now() - Number(bytes.toString('latin1', start, bytes.indexOf(0x22, start))));
  }
  counted += 1;
  if (counted === awaited) finish();
}

function finish(): void {
  const sorted = (latencies ?? []).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  process.send?.({ tookMs: now() - begunMs, p50Ms: at(0.5), p99Ms: at(0.99) } satisfies Received);
}

/** A text frame with a mask of zeros, which leaves the text as it is. */
function frame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([0x81, 0x80 | body.length]) : Buffer.from([0x81, 0xfe, 0, 0]);
  if (body.length >= 126) head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}

/** Opens one socket. Resolves when all of its greetings were answered. */
function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port: PORT, host: '127.0.0.1', noDelay: true });
    let rest: Buffer | null = null;
    let upgraded = false;
    let greeted = 0;
    socket.on('data', (chunk: Buffer) => {
      let bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
      rest = null;
      if (!upgraded) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end < 0 || !bytes.toString('latin1', 0, 12).endsWith('101')) return reject(new Error(bytes.toString()));
        upgraded = true;
        bytes = bytes.subarray(end + 4);
        socket.write(frame(HELLO[0] as string));
      }
      let at = 0;
      while (bytes.length - at >= 2) {
        const short = bytes[at + 1]! & 0x7f;
        const head = short < 126 ? 2 : short === 126 ? 4 : 10;
        if (bytes.length - at < head) break;
        const length =
          short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
        if (bytes.length - at < head + length) break;
        const kind = bytes[at]! & 0x0f;
        if (kind === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
        else if (kind === 8) socket.end();
        else if (greeted === HELLO.length) received(bytes, at + head, at + head + length);
        else {
          greeted += 1;
          if (greeted < HELLO.length) socket.write(frame(HELLO[greeted] as string));
          else resolve(socket);
        }
        at += head + length;
      }
      if (at < bytes.length) rest = Buffer.from(bytes.subarray(at));
    });
    socket.on('error', reject).on('close', () => {
      reject(new Error('a socket was closed'));
      process.stderr.write(`${PATH}: a socket was closed\n`);
    });
    socket.once('connect', () =>
      socket.write(
        `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
          'Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      ),
    );
  });
}

const sockets: Socket[] = [];
process.on('message', async (command: Command) => {
  if ('open' in command) {
    while (sockets.length < command.open) {
      const some = Math.min(OPENING, command.open - sockets.length);
      sockets.push(...(await Promise.all(Array.from({ length: some }, open))));
    }
    process.send?.('open');
    return;
  }
  counted = 0;
  awaited = command.expect;
  latencies = command.latencies ? [] : null;
  begunMs = now();
  process.send?.('listening');
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
