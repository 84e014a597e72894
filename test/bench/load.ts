import { createConnection } from 'node:net';

/** What one round of load came to. Latencies in milliseconds. */
export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with another status than 200. */
  readonly refused: number;
}

export interface LoadOptions {
  readonly port: number;
  /** Keep-alive connections, each with one request under way at any time. */
  readonly connections: number;
  readonly durationMs: number;
  /** Answered but not counted, at the beginning. */
  readonly warmUpMs: number;
  /** The next request, as it goes over the wire. */
  readonly next: () => Buffer;
}

const HEADER_END = Buffer.from('\r\n\r\n');

/**
 * Asks one server as fast as it answers. It speaks HTTP over plain sockets and reads no more of an answer than its
 * status and its length: on a machine with few cores, load that costs much would hide what is being measured.
 */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const { connections, durationMs, warmUpMs } = options;
  const latencies: number[] = [];
  const startMs = performance.now() + warmUpMs;
  const endMs = startMs + durationMs;
  let refused = 0;
  const note = (sentMs: number, status: string) => {
    if (sentMs < startMs) return;
    latencies.push(performance.now() - sentMs);
    if (status !== '200') refused++;
  };
  await Promise.all(Array.from({ length: connections }, () => runConnection(options, endMs, note)));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: latencies.length / (durationMs / 1000), p50Ms: at(0.5), p99Ms: at(0.99), refused };
}

/** One connection: the next request goes out when the last answer is complete. */
function runConnection(
  { port, next }: LoadOptions,
  endMs: number,
  note: (sentMs: number, status: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    let sentMs = 0;
    let status = '';
    let head: Buffer | null = null;
    /** Bytes of the body still to come; below 0 while the header is not complete. */
    let missing = -1;

    const ask = () => {
      sentMs = performance.now();
      missing = -1;
      if (sentMs >= endMs) socket.end(resolve);
      else socket.write(next());
    };
    socket.on('data', (chunk) => {
      if (missing < 0) {
        const seen = head ? Buffer.concat([head, chunk]) : chunk;
        const end = seen.indexOf(HEADER_END);
        head = end < 0 ? seen : null;
        if (end < 0) return;
        const header = seen.toString('latin1', 0, end);
        const length = /\r\ncontent-length: (\d+)/i.exec(header)?.[1];
        if (length === undefined) return void socket.destroy(new Error(`An answer without a length: ${header}`));
        status = header.slice(9, 12);
        missing = Number(length) - (seen.length - end - HEADER_END.length);
      } else missing -= chunk.length;
      if (missing > 0) return;
      note(sentMs, status);
      ask();
    });
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.once('close', resolve);
  });
}

/** A GET request over the wire. */
export const get = (path: string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines(headers)}\r\n`);

/** A POST request with a JSON body over the wire. */
export function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const json = JSON.stringify(body);
  const length = Buffer.byteLength(json);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${lines(headers)}\r\n${json}`,
  );
}

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
