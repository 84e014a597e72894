import { WebSocket } from 'ws';
import { type Program, until } from '../support/program.ts';

/** What a process says of itself after a garbage collection. */
interface Inside {
  readonly heapMiB: number;
  /** Timers, sockets and whatever else keeps the process running. */
  readonly resources: number;
}

/** A connection to the inspector of a process that runs with `--inspect`. */
export interface Inspector {
  look(): Promise<Inside>;
  close(): void;
}

/** Connects to the inspector whose address the process has printed last. */
export async function openInspector(program: Program): Promise<Inspector> {
  const address = await until(() => [...program.stderr().matchAll(/Debugger listening on (ws:\/\/\S+)/g)].at(-1)?.[1], {
    program,
  });
  const socket = new WebSocket(address);
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, (result: never) => void>();
  let last = 0;
  socket.on('message', (data) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result as never);
    waiting.delete(id);
  });
  const ask = <Result>(method: string, params: object = {}): Promise<Result> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve as (result: never) => void);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return {
    async look() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize } = await ask<{ usedSize: number }>('Runtime.getHeapUsage');
      const expression = 'process.getActiveResourcesInfo().length';
      const { result } = await ask<{ result: { value: number } }>('Runtime.evaluate', { expression });
      return { heapMiB: usedSize / 2 ** 20, resources: result.value };
    },
    close: () => socket.close(),
  };
}
