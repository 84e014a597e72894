import type { Hex } from 'viem';
import type { Authorization } from '../../../base/chain/authorizations.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { countsAs, OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { ownReceipt } from '../../sales/receipts/own-receipt.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import type { AuthorizationRow } from './authorization.entity.ts';
import { type AuthorizationDraft, draftAuthorization } from './draft-authorization.ts';
import type { AuthorizationState } from './lifecycle.ts';
import { submitAuthorization } from './submit-authorization.ts';

/** The largest value of an unsigned integer of 256 bits has 78 digits. */
const UINT256_MAX = 2n ** 256n - 1n;

const CHAIN_OF_QUOTE = 'The chain of the quote (EIP-155); the first chain of the server without it.';

const READERS = { buyer: true, may: 'receipts:own' } as const;

const DraftType = builder.objectRef<AuthorizationDraft>('AuthorizationDraft').implement({
  pages: ['receipt'],
  description: 'A transfer that a buyer signs instead of sending it (EIP-3009 `TransferWithAuthorization`).',
  authScopes: READERS,
  fields: (t) => ({
    from: t.field({
      type: 'Wallet',
      description: 'The wallet that pays.',
      resolve: ({ authorization }) => authorization.from,
    }),
    to: t.field({
      type: 'Wallet',
      description: 'The merchant’s split, which receives the payment.',
      resolve: ({ authorization }) => authorization.to,
    }),
    value: t.field({
      type: 'BaseUnits',
      description: 'The amount of the quote, in base units.',
      resolve: ({ authorization }) => String(authorization.value),
    }),
    validAfter: t.field({
      type: 'SafeInt',
      description: 'Unix seconds.',
      resolve: ({ authorization }) => Number(authorization.validAfter),
    }),
    validBefore: t.field({
      type: 'SafeInt',
      description: 'Unix seconds.',
      resolve: ({ authorization }) => Number(authorization.validBefore),
    }),
    nonce: t.field({
      type: 'Hex',
      description: 'Derived from the receipt and the number of its authorizations.',
      resolve: ({ authorization }) => authorization.nonce,
    }),
    typedData: t.field({
      type: 'JSON',
      description: 'The EIP-712 data, as eth_signTypedData_v4 takes it. Integers are decimal text.',
      resolve: ({ typedData }) => JSON.parse(withText(typedData)),
    }),
  }),
});

/** JSON with integers of 256 bits as decimal text. */
const withText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

const StateEnum = vocabulary('AuthorizationState', 'How far a payment by authorization is.', {
  sent: 'The server has sent its transaction.',
  mined: 'The transaction is in a block.',
  credited: 'The payment counts for the receipt.',
  failed: 'The transaction did not succeed. The receipt takes another authorization.',
} satisfies Record<AuthorizationState, string>);

const AuthorizedPaymentType = builder.objectRef<AuthorizationRow>('AuthorizedPayment').implement({
  pages: ['receipt'],
  description: 'A payment that a buyer has signed and the server sends.',
  authScopes: READERS,
  fields: (t) => ({
    receiptId: t.exposeID('receiptId', { description: 'The receipt that it pays.' }),
    state: t.expose('state', { type: StateEnum, description: 'How far it is.' }),
    transactionHash: t.expose('transactionHash', { type: 'Hex', description: 'The transaction that carries it out.' }),
  }),
});

const AuthorizationInput = builder.inputType('TransferAuthorizationInput', {
  description: 'A signed transfer (EIP-3009 `TransferWithAuthorization`).',
  fields: (t) => ({
    from: t.field({ type: 'Wallet', required: true, description: 'The wallet that pays and has signed.' }),
    to: t.field({ type: 'Wallet', required: true, description: 'The merchant’s split.' }),
    value: t.field({ type: 'BaseUnits', required: true, description: 'The amount of the quote, in base units.' }),
    validAfter: t.field({ type: 'SafeInt', required: true, description: 'Unix seconds.' }),
    validBefore: t.field({ type: 'SafeInt', required: true, description: 'Unix seconds.' }),
    nonce: t.field({
      type: 'Hex',
      required: true,
      description: '32 bytes. The token accepts it once for each wallet.',
    }),
    signature: t.field({
      type: 'Hex',
      required: true,
      description: 'Of the key of `from`, or of its deployed smart account (ERC-1271).',
    }),
  }),
});

interface GivenAuthorization {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: number;
  readonly validBefore: number;
  readonly nonce: string;
}

function authorizationOf({ from, to, value, validAfter, validBefore, nonce }: GivenAuthorization): Authorization {
  if (!/^0x[0-9a-fA-F]{64}$/.test(nonce)) throw refuse('invalid_input', 'nonce must be 32 bytes', { field: 'nonce' });
  const [amount, after, before] = [value, validAfter, validBefore].map(BigInt) as [bigint, bigint, bigint];
  if (amount > UINT256_MAX || after < 0n || before < 0n)
    throw refuse('invalid_input', 'value, validAfter and validBefore must be unsigned integers', { field: 'value' });
  return {
    from: from as Wallet,
    to: to as Wallet,
    value: amount,
    validAfter: after,
    validBefore: before,
    nonce: nonce.toLowerCase() as Hex,
  };
}

builder.mutationFields((t) => ({
  draftAuthorization: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: DraftType,
    description:
      'Returns a transfer of the receipt’s current quote that a buyer signs, so that the server sends it and pays the gas. Refused with `gasless_unavailable` if the token, the merchant or the operator does not allow it.',
    authScopes: { buyerWrite: true, mayWrite: 'receipts:write' },
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      token: t.arg.string({ required: true, description: 'The symbol of the token, as in `USDC`.' }),
      chainId: t.arg({ type: 'SafeInt', description: CHAIN_OF_QUOTE }),
      from: t.arg({ type: 'Wallet', required: true, description: 'The wallet that pays.' }),
    },
    resolve: (_root, { receiptId, token, chainId, from }, context) =>
      draftAuthorization(
        onChain(context, chainId),
        { ...ownReceipt(context.caller, receiptId), token },
        from as Wallet,
      ),
  }),
  payByAuthorization: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: AuthorizedPaymentType,
    description:
      'Carries out a transfer that the buyer has signed, at the expense of the server. It is bound to this receipt before it is sent. The same authorization again returns the stored one. Refused with `authorization_refused` and a `reason` if the token would not accept it, with `authorization_used` if it belongs to another receipt, with `payment_underway` while another one is on its way, and with `gasless_unavailable`.',
    authScopes: { buyerWrite: true, mayWrite: 'receipts:write' },
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      token: t.arg.string({ required: true, description: 'The symbol of the token, as in `USDC`.' }),
      chainId: t.arg({ type: 'SafeInt', description: CHAIN_OF_QUOTE }),
      authorization: t.arg({ type: AuthorizationInput, required: true, description: 'The signed transfer.' }),
    },
    resolve: (_root, { receiptId, token, chainId, authorization }, context) =>
      submitAuthorization(
        { ...onChain(context, chainId), readRate: configuredRates(context) },
        { ...ownReceipt(context.caller, receiptId), token },
        { authorization: authorizationOf(authorization), signature: authorization.signature as Hex },
      ),
  }),
}));
