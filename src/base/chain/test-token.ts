import { encodeDeployData, type Hex, zeroHash } from 'viem';
import artifact from './contracts/test-token.json' with { type: 'json' };
import authorizable from './contracts/test-token-with-authorization.json' with { type: 'json' };
import { addressOf, type Deployment } from './create2.ts';

export interface TestToken extends Deployment {
  readonly symbol: string;
  readonly decimals: number;
}

/** The constructor and `mint(address,uint256)`: the parts that ERC-20 does not have. */
export const testTokenAbi = [
  {
    type: 'constructor',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'name', type: 'string' },
      { name: 'symbol', type: 'string' },
      { name: 'decimals', type: 'uint8' },
    ],
  },
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [],
  },
] as const;

/** A test token; its address depends only on its code and these properties. */
function planTestToken(bytecode: string, name: string, symbol: string, decimals: number): TestToken {
  const initCode = encodeDeployData({
    abi: testTokenAbi,
    bytecode: bytecode as Hex,
    args: [name, symbol, decimals],
  });
  return { symbol, decimals, address: addressOf(initCode, zeroHash), salt: zeroHash, initCode };
}

/** A token without EIP-3009, as tests deploy it beside the stablecoins of a local chain. */
export const furtherTestToken = (name: string, symbol: string, decimals: number): TestToken =>
  planTestToken(artifact.bytecode, name, symbol, decimals);

/** The stablecoins of the local chain. Their addresses depend only on their code. USDC alone has EIP-3009. */
export const testTokens: readonly TestToken[] = [
  planTestToken(authorizable.bytecode, 'Test USD Coin', 'USDC', 6),
  planTestToken(artifact.bytecode, 'Test Tether USD', 'USDT', 6),
];

/** The stablecoins of the second local chain. */
export const slowChainTokens: readonly TestToken[] = [
  testTokens[0]!,
  planTestToken(artifact.bytecode, 'Test EURC', 'EURC', 6),
];
