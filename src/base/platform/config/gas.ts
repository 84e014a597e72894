import { decimal, integer, variable } from './values.ts';

/** When, and for how much, the operator's wallets pay gas. */
export const GAS_VARIABLES = {
  MAX_FEE_GWEI: variable(
    decimal(0.001, 1_000_000),
    'no ceiling',
    '50',
    'The highest fee per unit of gas, in gwei, that transactions of SPENDER_PRIVATE_KEY and SETTLEMENT_PRIVATE_KEY ' +
      'offer. While the market is above it nothing is sent and transactions wait.',
  ),
  GASLESS_MAX_GAS_USD: variable(
    decimal(0, 1_000),
    '5 on the local chain, 0.25 elsewhere',
    '0.05',
    'The most that SETTLEMENT_PRIVATE_KEY pays in gas, in US dollars, to carry out a payment that a buyer has only ' +
      'signed (EIP-3009 and HTTP 402); 0 turns these payments off.',
  ),
  GASLESS_PER_DAY: variable(
    integer(1, 1_000_000),
    'no limit on the local chain, 200 elsewhere',
    '1000',
    'The number of such payments that SETTLEMENT_PRIVATE_KEY carries out for one merchant on one chain within 24 hours, ' +
      'and for all newcomers together. Further buyers pay by a transfer.',
  ),
  GASLESS_PER_DAY_TOTAL: variable(
    integer(1, 1_000_000),
    'no limit on the local chain, 2000 elsewhere',
    '10000',
    'The same for all merchants together.',
  ),
  SWEEP_MAX_COST_PCT: variable(
    decimal(0, 100),
    'no limit on the local chain, 0.25 elsewhere',
    '1',
    'The most that SETTLEMENT_PRIVATE_KEY pays to collect from the address of a receipt, or to release shares, in ' +
      'percent of what that moves. Smaller amounts wait until the merchant asks for them.',
  ),
  SWEEP_MAX_COST: variable(
    decimal(0, 1_000),
    'nothing is collected without a price of the coin',
    '0.0001',
    'The same in coins of the network, where the coin has no price. Less than a cent waits.',
  ),
  SWEEPS_PER_DAY: variable(
    integer(1, 1_000_000),
    'no limit on the local chain, 500 elsewhere',
    '2000',
    'The number of transactions with which SETTLEMENT_PRIVATE_KEY collects for one merchant on one chain within 24 ' +
      'hours, and for all newcomers together.',
  ),
  SWEEPS_PER_DAY_TOTAL: variable(
    integer(1, 10_000_000),
    'no limit on the local chain, 5000 elsewhere',
    '20000',
    'The same for all merchants together.',
  ),
  SPLIT_DEPLOYMENTS_PER_DAY: variable(
    integer(1, 10_000),
    'no limit on the local chain, 5 elsewhere',
    '20',
    'The number of splits of one merchant, and of all newcomers together, that SETTLEMENT_PRIVATE_KEY deploys within ' +
      '24 hours.',
  ),
  SPLIT_DEPLOYMENTS_PER_DAY_TOTAL: variable(
    integer(1, 100_000),
    'no limit on the local chain, 50 elsewhere',
    '200',
    'The same for all merchants together.',
  ),
  RELEASE_REQUESTS_PER_DAY: variable(
    integer(0, 10_000),
    'no limit on the local chain, 20 elsewhere',
    '5',
    'The number of releases that one merchant, and all newcomers together, may ask for within 24 hours before they are ' +
      'due, and of receipts to collect; 0 turns this off.',
  ),
  RELEASE_REQUESTS_PER_DAY_TOTAL: variable(
    integer(0, 100_000),
    'no limit on the local chain, 200 elsewhere',
    '1000',
    'The same for all merchants together.',
  ),
} as const;
