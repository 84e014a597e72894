import { concat, type Hash, type Hex, numberToHex, pad, size } from 'viem';
import type { Shop } from './shop.ts';

/** A call of a batch. It sends no coins. */
interface Call {
  readonly to: Hex;
  readonly data?: Hex;
}

/**
 * Executes calls one after the other, in the context of the account that delegates to it, and undoes all if one fails.
 * Its input is, for each call: the address and the size of the data, in 32 bytes each, and the data.
 */
const EXECUTOR = {
  address: `0x5792${'00'.repeat(16)}7702`,
  code: concat([
    // while (offset < calldatasize)
    '0x5f5b803611600957005b',
    // copy the data to memory
    '0x80602001358082604001',
    '0x5f37',
    // call the address with it, and revert if that fails
    '0x5f5f825f5f86355af16025575f5ffd5b',
    // offset += size + 64
    '0x01604001600156',
  ]),
} as const;

/** Sends calls as one transaction of the account, which delegates its code for that (EIP-7702). */
export async function sendBatch(wallet: ReturnType<Shop['walletOf']>, calls: readonly Call[]): Promise<Hash> {
  await wallet.request({ method: 'anvil_setCode', params: [EXECUTOR.address, EXECUTOR.code] } as never);
  const authorization = await wallet.signAuthorization({ contractAddress: EXECUTOR.address, executor: 'self' });
  const data = concat(
    calls.flatMap(({ to, data: input = '0x' }) => [pad(to), numberToHex(size(input), { size: 32 }), input]),
  );
  return wallet.sendTransaction({ to: wallet.account.address, data, authorizationList: [authorization] });
}
