import { GraphQLError } from 'graphql';
import { parseWallet } from '../core/wallet.ts';
import { builder } from './builder.ts';

const reject = (message: string) => new GraphQLError(message, { extensions: { code: 'invalid_input' } });

builder.scalarType('Wallet', {
  description: 'A wallet address: `0x` followed by 40 hex digits. Accepted in any letter case, returned in lower case.',
  serialize: String,
  parseValue: (value) => {
    const wallet = parseWallet(value);
    if (!wallet) throw reject('A wallet is 0x followed by 40 hex characters');
    return wallet;
  },
});

builder.scalarType('Usd', {
  description: 'US dollars as a number with at most two decimals.',
  serialize: Number,
  parseValue: (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw reject('An amount is a number');
    return value;
  },
});

builder.scalarType('Millis', {
  description: 'A point in time, in Unix epoch milliseconds.',
  serialize: Number,
  parseValue: (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw reject('A time is a whole number of milliseconds');
    return value;
  },
});

builder.scalarType('BaseUnits', {
  description: "An amount in a token's base units, as decimal text.",
  serialize: String,
  parseValue: (value) => {
    if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) throw reject('Base units are decimal digits');
    return value;
  },
});

builder.scalarType('Hex', {
  description: 'Bytes as `0x` followed by hex digits.',
  serialize: String,
  parseValue: (value) => {
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) throw reject('Hex is 0x followed by hex digits');
    return value.toLowerCase();
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
});
