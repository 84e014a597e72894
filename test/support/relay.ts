import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';

/** A way to the database that a test can cut, or let hang as a stopped server does. */
export interface Relay {
  readonly url: string;
  /** Ends every connection and takes no more. */
  cut(): Promise<void>;
  /** Passes nothing on any more, without a word; new connections are taken, and nothing comes of them either. */
  hang(): void;
  /** After `hang` or `cut`: ends the connections that hang, and takes and passes on new ones. */
  comeBack(): Promise<void>;
  /**
   * Lets the database go away once so many pieces of data have passed, in either direction; at once for 0. The returned
   * function gives that up.
   */
  goAwayAfter(pieces: number, how: 'cut' | 'hang'): () => void;
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
  /** Called for each piece of data that is about to pass. */
  let passing: (() => void) | null = null;
  const server = createServer((from) => {
    const onward = connect(Number(to.port), to.hostname);
    for (const socket of [from, onward]) {
      sockets.add(socket);
      socket.on('error', () => {});
      // Before it is piped on, so that a piece that is counted last does not pass.
      socket.on('data', () => passing?.());
      socket.on('close', () => {
        sockets.delete(socket);
        from.destroy();
        onward.destroy();
      });
    }
    if (!hanging) from.pipe(onward).pipe(from);
  });
  const listen = async (port: number) => {
    const listening = once(server, 'listening');
    server.listen(port, '127.0.0.1');
    await listening;
  };
  // No outgoing connection takes this port between `cut` and `mend`.
  const port = await findFreePort();
  await listen(port);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  // A database that hangs is away after the time limits of production.
  if (url.protocol.startsWith('postgres')) url.search = '';
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(cut);
  const hang = () => {
    hanging = true;
    for (const socket of sockets) socket.unpipe().pause();
  };
  return {
    url: url.href,
    cut,
    async comeBack() {
      if (hanging) for (const socket of sockets) socket.destroy();
      hanging = false;
      if (!server.listening) await listen(port);
    },
    goAwayAfter(pieces, how) {
      let left = pieces;
      const pass = () => {
        if (left-- > 0) return;
        passing = null;
        if (how === 'hang') hang();
        else void cut();
      };
      passing = pass;
      if (pieces === 0) pass();
      return () => {
        passing = null;
      };
    },
    leadTo(next) {
      to = new URL(next);
      hanging = false;
    },
    mend() {
      hanging = false;
      return listen(port);
    },
    hang,
  };
}
