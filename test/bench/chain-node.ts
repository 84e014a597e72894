/**
 * A node of a long chain, for the watcher: its blocks follow from their numbers, and every `PAYMENT_EVERY`th has a
 * transfer of the token `TOKEN` to `PAY_TO`. `bench_setHead` sets the newest block. Real nodes cost much more; what is
 * measured is the watcher.
 */
import { createServer } from 'node:http';
import { numberToHex, pad } from 'viem';

const { PORT, CHAIN_ID, TOKEN, PAY_TO, PAYMENT_EVERY } = process.env as Record<string, string>;
const every = Number(PAYMENT_EVERY);
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const payee = pad(PAY_TO as `0x${string}`).toLowerCase();
let head = 0;

const hashOf = (number: number): string => numberToHex(BigInt(number) + (1n << 200n), { size: 32 });
const transactionOf = (number: number): string => numberToHex(BigInt(number) + (1n << 210n), { size: 32 });

function blockOf(number: number) {
  if (number > head) return null;
  const zero = pad('0x0', { size: 32 });
  return {
    ...{ number: numberToHex(number), hash: hashOf(number), parentHash: hashOf(number - 1), sha3Uncles: zero },
    ...{
      timestamp: numberToHex(1_700_000_000 + number * 12),
      transactions: paysIn(number) ? [transactionOf(number)] : [],
    },
    ...{ baseFeePerGas: '0x1', gasLimit: '0x1c9c380', gasUsed: '0x0', size: '0x0', difficulty: '0x0', extraData: '0x' },
    ...{ uncles: [], logsBloom: `0x${'00'.repeat(256)}`, miner: `0x${'0'.repeat(40)}`, nonce: '0x0000000000000000' },
  };
}

const paysIn = (number: number): boolean => number > 0 && number % every === 0;

interface Filter {
  readonly fromBlock: `0x${string}`;
  readonly toBlock: `0x${string}`;
  readonly topics: readonly (string | readonly string[] | null)[];
}

function logsOf({ fromBlock, toBlock, topics }: Filter) {
  const [event, , to] = topics;
  if ((Array.isArray(event) ? event[0] : event) !== TRANSFER) return [];
  if (to != null && ![to].flat().some((one) => one.toLowerCase() === payee)) return [];
  const logs: object[] = [];
  for (let at = Math.ceil(Number(fromBlock) / every) * every; at <= Math.min(Number(toBlock), head); at += every) {
    if (!paysIn(at)) continue;
    logs.push({
      ...{
        address: TOKEN,
        topics: [TRANSFER, pad(`0x${'1'.repeat(40)}`), payee],
        data: numberToHex(1_000_000, { size: 32 }),
      },
      ...{ blockNumber: numberToHex(at), blockHash: hashOf(at), transactionHash: transactionOf(at) },
      ...{ transactionIndex: '0x0', logIndex: '0x0', removed: false },
    });
  }
  return logs;
}

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

const METHODS: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  eth_chainId: () => numberToHex(Number(CHAIN_ID)),
  eth_blockNumber: () => numberToHex(head),
  eth_getBlockByNumber: ([which]) => blockOf(which === 'latest' ? head : Number(which)),
  eth_getLogs: ([filter]) => logsOf(filter as Filter),
  bench_setHead([number]) {
    head = Number(number);
    return true;
  },
};

function answer({ id, method, params = [] }: Asked): object {
  const known = METHODS[method];
  const answered = known
    ? { result: known(params) }
    : { error: { code: -32_601, message: `${method} is not supported` } };
  return { jsonrpc: '2.0', id, ...answered };
}

createServer(async (request, response) => {
  if (request.method === 'GET') return void response.end('ready');
  const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked | Asked[];
  const answered = Array.isArray(asked) ? asked.map(answer) : answer(asked);
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answered));
}).listen(Number(PORT), '127.0.0.1');
