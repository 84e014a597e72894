import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to the database that a test can cut, or let hang as a stopped server does. */
export interface Relay {
  readonly url: string;
  /** Ends every connection and takes no more. */
  cut(): Promise<void>;
  /** Passes nothing on any more, without a word; new connections are taken, and nothing comes of them either. */
  hang(): void;
  /** New connections lead to another target, and are passed on. */
  leadTo(target: string): void;
  /** After `cut`: takes connections again, at the same address, and passes them on. */
  mend(): Promise<void>;
}

/** Opens a relay to the address of `target`; closed when the test is finished. */
export async function openRelay(target: string): Promise<Relay> {
  let to = new URL(target);
  let hanging = false;
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const onward = connect(Number(to.port), to.hostname);
    for (const socket of [from, onward]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        from.destroy();
        onward.destroy();
      });
    }
    if (!hanging) from.pipe(onward).pipe(from);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  const { port } = server.address() as { port: number };
  url.port = String(port);
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(cut);
  return {
    url: url.href,
    cut,
    leadTo(next) {
      to = new URL(next);
      hanging = false;
    },
    mend() {
      hanging = false;
      return listen(port);
    },
    hang() {
      hanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}
