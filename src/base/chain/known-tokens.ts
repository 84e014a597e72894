import { isAddress } from 'viem';
import { parseWallet } from '../core/wallet.ts';
import type { Token } from './token.ts';

/** A token of a known chain, and the public page that its address comes from. */
export interface KnownToken extends Token {
  readonly source: string;
}

const CIRCLE_USDC = 'https://developers.circle.com/stablecoins/usdc-contract-addresses';
const CIRCLE_EURC = 'https://developers.circle.com/stablecoins/eurc-contract-addresses';
const TETHER = 'https://tether.to/en/supported-protocols';
const TETHER_USDT0 = 'https://docs.usdt0.to/technical-documentation/developer';
const SKY = 'https://chainlog.sky.money';

/** A token contract. Its address has an EIP-55 checksum, so that a typo fails at startup. */
function contract(symbol: string, checksummed: string, source: string, more: Partial<Token> = {}): KnownToken {
  const address = isAddress(checksummed) ? parseWallet(checksummed) : null;
  if (!address) throw new Error(`${symbol}: ${checksummed} is not an address with a valid checksum`);
  return { symbol, address, decimals: 6, ...more, source };
}

const usdc = (address: string): KnownToken => contract('USDC', address, CIRCLE_USDC);
const eurc = (address: string): KnownToken => contract('EURC', address, CIRCLE_EURC);
const usdt = (address: string, source = TETHER): KnownToken => contract('USDT', address, source);
const dai = (address: string, source: string, onChainSymbol?: string): KnownToken =>
  contract('DAI', address, source, { decimals: 18, ...(onChainSymbol && { onChainSymbol }) });
const coin = (symbol: string, source: string): KnownToken => ({ symbol, address: null, decimals: 18, source });

/** Ether as a chain's native coin. */
export const ETHER: Token = { symbol: 'ETH', address: null, decimals: 18 };

const ether = coin('ETH', 'the native coin');
const polygonCoin = coin('POL', 'the native coin');
const avalancheCoin = coin('AVAX', 'the native coin');
const gnosisCoin = coin('XDAI', 'the native coin');

/** The tokens of each known public chain, the default one first. */
export const KNOWN_TOKENS: ReadonlyMap<number, readonly KnownToken[]> = new Map([
  // Ethereum
  [
    1,
    [
      usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      usdt('0xdAC17F958D2ee523a2206206994597C13D831ec7'),
      eurc('0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c'),
      dai('0x6B175474E89094C44Da98b954EedeAC495271d0F', SKY),
      ether,
    ],
  ],
  // OP Mainnet
  [
    10,
    [
      usdc('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
      usdt('0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', 'https://optimistic.etherscan.io'),
      dai('0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 'https://optimistic.etherscan.io'),
      ether,
    ],
  ],
  // Gnosis: its USDC is the bridged one that Circle's standard describes.
  [
    100,
    [
      contract('USDC', '0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0', 'https://docs.gnosischain.com', {
        onChainSymbol: 'USDC.e',
      }),
      usdt('0x4ECaBa5870353805a9F068101A40E0f32ed605C6', 'https://gnosisscan.io'),
      gnosisCoin,
    ],
  ],
  // Polygon
  [
    137,
    [
      usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
      usdt('0xc2132D05D31c914a87C6611C10748AEb04B58e8F', TETHER_USDT0),
      dai('0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063', 'https://polygonscan.com'),
      polygonCoin,
    ],
  ],
  // Base
  [
    8453,
    [
      usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      eurc('0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'),
      dai('0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb', 'https://basescan.org'),
      ether,
    ],
  ],
  // Arbitrum One
  [
    42161,
    [
      usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
      usdt('0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', TETHER_USDT0),
      dai('0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 'https://arbiscan.io'),
      ether,
    ],
  ],
  // Avalanche
  [
    43114,
    [
      usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
      usdt('0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7'),
      eurc('0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD'),
      dai('0xd586E7F844cEa2F87f50152665BCbc2C279D8d70', 'https://snowtrace.io', 'DAI.e'),
      avalancheCoin,
    ],
  ],
  // Avalanche Fuji
  [
    43113,
    [
      usdc('0x5425890298aed601595a70AB815c96711a31Bc65'),
      eurc('0x5E44db7996c682E92a960b65AC713a54AD815c6B'),
      avalancheCoin,
    ],
  ],
  // Polygon Amoy
  [80002, [usdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'), polygonCoin]],
  // Base Sepolia
  [
    84532,
    [usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e'), eurc('0x808456652fdb597867f38412077A9182bf77359F'), ether],
  ],
  // Arbitrum Sepolia
  [421614, [usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'), ether]],
  // Sepolia
  [
    11155111,
    [usdc('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'), eurc('0x08210F9170F89Ab7658F0B5E3fF39b0E03C594D4'), ether],
  ],
  // OP Sepolia
  [11155420, [usdc('0x5fd84259d66Cd46123540766Be93DFE6D43130D7'), ether]],
  // Chiado
  [10200, [gnosisCoin]],
  // Hoodi
  [560048, [ether]],
]);
