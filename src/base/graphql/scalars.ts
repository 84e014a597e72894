import { GraphQLError, type ValueNode, valueFromASTUntyped, visit } from 'graphql';
import { isRounded, ROUNDED } from '../core/json.ts';
import { parseWallet } from '../core/wallet.ts';
import { builder } from './builder.ts';

const reject = (message: string) => new GraphQLError(message, { extensions: { code: 'invalid_input' } });

builder.scalarType('Wallet', {
  description: 'A wallet address: `0x` followed by 40 hex digits. Accepted in any letter case, returned in lower case.',
  specifiedByURL: 'https://eips.ethereum.org/EIPS/eip-55',
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

builder.scalarType('SafeInt', {
  description:
    'A whole number from −(2⁵³ − 1) to 2⁵³ − 1, which a JSON number holds exactly. For values that may exceed 32 bits: block numbers, chain ids, times in seconds.',
  serialize: Number,
  parseValue: (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw reject('A SafeInt is a whole number');
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
  specifiedByURL: 'https://ethereum.org/developers/docs/apis/json-rpc/#hex-encoding',
  serialize: String,
  parseValue: (value) => {
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) throw reject('Hex is 0x followed by hex digits');
    return value.toLowerCase();
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (literal, variables) => {
    const refuseRounded = ({ value }: { value: string }) => {
      if (isRounded(value)) throw reject(`JSON ${ROUNDED}`);
    };
    visit(literal as ValueNode, { IntValue: refuseRounded, FloatValue: refuseRounded });
    return valueFromASTUntyped(literal as ValueNode, variables);
  },
});
