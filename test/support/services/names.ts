import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Of a message: its header, and where its flags and numbers of entries stand. */
const HEADER = { length: 12, flags: 2, questions: 4, answers: 6 } as const;
const RESPONSE = 0x8180;
const ADDRESS = 1;

/**
 * Starts a name server for which every name has these IPv4 addresses, as the name of a service of containers has. Gives
 * its loopback port. It ends after the test.
 */
export async function startNames(addresses: readonly string[]): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answerOf(query, addresses), from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return (socket.address() as AddressInfo).port;
}

function answerOf(query: Buffer, addresses: readonly string[]): Buffer {
  let end: number = HEADER.length;
  while (query[end] !== 0) end += query[end]! + 1;
  const isAddress = query.readUInt16BE(end + 1) === ADDRESS;
  // Type and class follow the name.
  const question = query.subarray(HEADER.length, end + 5);
  const header = Buffer.alloc(HEADER.length);
  query.copy(header, 0, 0, HEADER.flags);
  header.writeUInt16BE(RESPONSE, HEADER.flags);
  header.writeUInt16BE(1, HEADER.questions);
  header.writeUInt16BE(isAddress ? addresses.length : 0, HEADER.answers);
  // The name of the question, type, class, a time to live of a second, and four bytes.
  const entries = addresses.map((address) =>
    Buffer.from([0xc0, HEADER.length, 0, ADDRESS, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question, ...(isAddress ? entries : [])]);
}
