import { connect, createServer, type Socket } from 'node:net';
import { parseAbiItem, parseEventLogs } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { toWallet } from '../../../src/base/chain/address.ts';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { RECEIPT_FACTORY } from '../../../src/base/chain/receipt-record.ts';
import { startLivingChain } from '../../browser/chain.ts';
import { openBuyers } from '../../browser/shop.ts';
import { stock } from '../../contract/catalog.ts';
import { payOnChain, placeOrder, readRequest, readStatus } from '../../support/checkout.ts';
import { makeDataDir, runQuittance, until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';
import { startTestServer } from '../../support/server.ts';

/** Each kill comes after a random piece; more kills with `SETTLEMENT_KILLS`. */
const ROUNDS = Number(process.env.SETTLEMENT_KILLS ?? 5);
/** A worker that settles two receipts sends about so many pieces of data to the database. */
const PIECES = 350;
const RELEASED = parseAbiItem('event ERC20PaymentReleased(address indexed token, address to, uint256 amount)');

/** A way to the database that calls `full` instead of passing on the nth piece of data, and passes nothing after it. */
async function openCounter(target: string) {
  const to = new URL(target);
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let full = () => {};
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
    onward.pipe(from);
    from.on('data', (piece) => {
      left -= 1;
      if (left === 0) full();
      if (left > 0) onward.write(piece);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: url.href,
    /** Resolves when the nth piece from now on has arrived and was not passed on. */
    fullAfter: (pieces: number) =>
      new Promise<void>((resolve) => {
        [left, full] = [pieces, resolve];
      }),
    passAll() {
      left = Number.POSITIVE_INFINITY;
    },
  };
}

test('a worker killed again and again between its statements settles every receipt, releases each share once and loses none', async () => {
  const chain = await startLivingChain();
  onTestFinished(() => chain.stop());
  const server = await startTestServer({ env: { RPC_URL: chain.rpcUrl } });
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const shop = { ...server, auth: merchant.auth };
  await stock(server, merchant, [{ sku: 'MUG-STONE', priceUsd: 24 }]);
  const receiver = await openReceiver();
  const counter = await openCounter(server.deps.settings.databaseUrl);
  const { jwtSecret, keyEncryptionKey } = server.deps.settings;
  const env = {
    DATA_DIR: makeDataDir(),
    DATABASE_URL: counter.url,
    CHAIN_ID: String(server.deps.chain.chainId),
    RPC_URL: chain.rpcUrl,
    JWT_SECRET: jwtSecret,
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    CHARGE_SCHEDULE: 'off',
    LOG_LEVEL: 'info',
  };
  const startWorker = async () => {
    const program = runQuittance(['worker'], { env });
    await until(() => program.stderr().includes('payments of chain'), { program, timeoutMs: 180_000 });
    return program;
  };

  const receipts: string[] = [];
  let paidUnits = 0n;
  for (let round = 0; round < ROUNDS; round++) {
    for (let order = 0; order < 2; order++) {
      const { receiptId } = await placeOrder(shop, { webhookUrl: receiver.url, jurisdictionCode: undefined });
      const request = await readRequest(server, receiptId);
      await payOnChain(chain.rpcUrl, request);
      receipts.push(receiptId);
      paidUnits += BigInt(request.amount);
    }
    const worker = await startWorker();
    await counter.fullAfter(1 + Math.floor(Math.random() * PIECES));
    worker.child.kill('SIGKILL');
    await worker.exit;
    counter.passAll();
  }

  const last = await startWorker();
  for (const receiptId of receipts) {
    await until(async () => (await readStatus(shop, receiptId)) === 'completed', { program: last, timeoutMs: 180_000 });
    await receiver.about(receiptId, 'reconciled');
  }
  last.child.kill('SIGTERM');
  await last.exit;

  const split = merchant.split!;
  const buyers = openBuyers(chain.rpcUrl);
  const platform = server.deps.settings.platformRecipient!;
  const shares = { [merchant.wallet]: (paidUnits * 9950n) / 10_000n, [platform]: (paidUnits * 50n) / 10_000n };
  expect(await buyers.balance('USDC', merchant.wallet)).toBe(shares[merchant.wallet]);
  expect(await buyers.balance('USDC', split)).toBe(paidUnits - shares[merchant.wallet]! - shares[platform]!);

  // Every collection and release of the settlement wallet moved money, and no receipt was collected twice.
  const head = await buyers.reader.getBlockNumber();
  const sender = localAccount('settlement').address.toLowerCase();
  const released: Record<string, bigint> = {};
  for (let number = 0n; number <= head; number++) {
    const block = await buyers.reader.getBlock({ blockNumber: number, includeTransactions: true });
    for (const { hash, from, to } of block.transactions) {
      if (from.toLowerCase() !== sender || ![split, RECEIPT_FACTORY].includes(toWallet(to ?? from))) continue;
      const { status, logs } = await buyers.reader.getTransactionReceipt({ hash });
      const moved = parseEventLogs({ abi: [RELEASED], logs }).map(({ args }) => args);
      expect([status, moved.length > 0]).toEqual(['success', true]);
      for (const { to: payee, amount } of moved) {
        const wallet = payee.toLowerCase();
        released[wallet] = (released[wallet] ?? 0n) + amount;
      }
    }
  }
  expect(released).toEqual(shares);

  const completions = await server.deps.db.orm.em.fork().execute<{ id: string; times: number }[]>(
    `select receipt_id as id, count(*)::int as times from receipt_history
      where kind = 'status' and status = 'completed' group by receipt_id`,
  );
  expect(new Map(completions.map(({ id, times }) => [id, times]))).toEqual(new Map(receipts.map((id) => [id, 1])));
  const reconciled = receiver.received.filter(({ event }) => event.status === 'reconciled');
  expect(new Set(reconciled.map(({ headers }) => headers['webhook-id'])).size).toBe(receipts.length);
}, 600_000);
