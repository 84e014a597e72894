import { expect, inject, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir, runQuittance, until } from '../../support/program.ts';
import { openRelay } from '../../support/relay.ts';

// Both start in the order database, queues, workers: any of them may be the first to meet the outage.
test.each([
  [['worker'], 'working'],
  [['serve', '--no-worker'], 'listening'],
])(
  '%j waits for a database that is away at its start; a brief command does not',
  async (args, running) => {
    const relay = await openRelay(await testDatabase());
    await relay.cut();
    const env = { DATA_DIR: makeDataDir(), DATABASE_URL: relay.url, RPC_URL: inject('rpcUrl'), PORT: '0' };
    const brief = await runQuittance(['merchant', 'list'], { env }).exit;
    expect(brief.code).toBe(1);
    const program = runQuittance(args, { env: { ...env, LOG_LEVEL: 'info' } });
    const logs = (message: string) => () => `${program.stdout()}${program.stderr()}`.includes(`"msg":"${message}"`);
    await until(logs('waits for the database'), { program, timeoutMs: 120_000 });
    await relay.mend();
    await until(logs(running), { program, timeoutMs: 120_000 });
    program.child.kill('SIGTERM');
    expect(await program.exit).toEqual({ code: 0, signal: null });
  },
  120_000,
);

test.each([[['worker']], [['serve', '--no-worker']]])(
  '%j obeys SIGTERM while it waits for the database',
  async (args) => {
    const relay = await openRelay(await testDatabase());
    await relay.cut();
    const env = { DATA_DIR: makeDataDir(), DATABASE_URL: relay.url, RPC_URL: inject('rpcUrl'), PORT: '0' };
    const program = runQuittance(args, { env: { ...env, LOG_LEVEL: 'info' } });
    await until(() => program.stderr().includes('waits for the database'), { program, timeoutMs: 120_000 });
    const begun = performance.now();
    program.child.kill('SIGTERM');
    expect(await program.exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(10_000);
  },
  240_000,
);
