import { encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { type Authorization, authorizedTransfer } from '../../../base/chain/authorizations.ts';
import { mintTestTokens } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { accountOf, createAccountTransaction } from '../../../base/chain/spend-permission-account.ts';
import {
  type Authorizer,
  authorizationOf,
  cancellation,
  newAuthorizer,
  signAuthorization,
  usdcOf,
} from '../../../base/chain/test/authorize.ts';
import { readDataFee } from '../../../base/chain/transfer-fee.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { countSent } from '../../../base/onchain/spender/count-sent.ts';
import { awaitMined } from '../../../base/onchain/spender/follow-transactions.ts';
import { openWallet } from '../../../base/onchain/spender/spender-key.ts';
import { MerchantSchema } from '../../shop/merchants/merchant.entity.ts';
import { DEFAULT_PRICING } from '../../shop/merchants/pricing.ts';
import { DEFAULT_SHOP } from '../../shop/merchants/shop.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { type Quoted, quoted } from '../test/quoted.ts';
import { openWorld, randomWallet } from '../test/world.ts';
import { TransferSchema } from '../transfers/core/transfer.entity.ts';
import { draftAuthorization } from './draft-authorization.ts';
import { gaslessOutcomes } from './outcomes.ts';
import { countAttempts } from './store.ts';
import { submitAuthorization } from './submit-authorization.ts';
import { isGasless } from './terms.ts';

const world = await openWorld();
afterAll(() => world.stop());
const { deps, chain } = world;
const stranger = createSender(chain, localAccount('buyer', 3).privateKey);
const settlement = openWallet('settlement', deps.settings.settlementPrivateKey!);

/** A receipt with a quote, and a buyer with the money and without ether. */
async function buyer(totalCents = 1_000): Promise<Quoted & Authorizer & { readonly quoted: Authorization }> {
  const receipt = await quoted(world, totalCents);
  const { quote } = receipt;
  const payer = newAuthorizer();
  await mintTestTokens(chain, 'USDC', payer.wallet, BigInt(quote.amount));
  const { payTo: to, amount } = quote;
  return { ...receipt, ...payer, quoted: authorizationOf(payer.wallet, { to, value: BigInt(amount) }) };
}

const submit = async (
  { merchant, receiptId, account }: Pick<Quoted, 'merchant' | 'receiptId'> & Pick<Authorizer, 'account'>,
  authorization: Authorization,
  signature?: `0x${string}`,
  given: Partial<typeof deps> = {},
) =>
  submitAuthorization(
    { ...deps, ...given },
    { merchant, receiptId, token: 'USDC' },
    { authorization, signature: signature ?? (await signAuthorization(chain, account, authorization)) },
  );

/** Waits for the wallet's transactions and records their outcomes. */
async function finish(): Promise<void> {
  const nonce = await chain.client.getTransactionCount({ address: settlement.account.address, blockTag: 'pending' });
  const nonces = Array.from({ length: nonce }, (_, i) => i);
  await awaitMined(deps, settlement, gaslessOutcomes(deps), nonces, { waitMs: 5_000 });
}

/** Waits for the wallet's transactions and scans the chain. */
async function land(): Promise<void> {
  await finish();
  await world.look();
}

const stateOf = async ({ merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>) => {
  const rows: { state: string }[] = await deps.db.orm.em
    .fork()
    .execute('select state from payment_authorizations where merchant = ? and receipt_id = ? order by created_at', [
      merchant,
      receiptId,
    ]);
  return rows.map(({ state }) => state);
};

const refusal = (code: string, reason?: string) =>
  expect.objectContaining(reason === undefined ? { code } : { code, extra: { reason } });

test('a buyer without ether pays with the signature of a draft, and the receipt is paid to the base unit', async () => {
  const one = await buyer();
  const { authorization, typedData } = await draftAuthorization(
    deps,
    { merchant: one.merchant, receiptId: one.receiptId, token: 'USDC' },
    one.wallet,
  );
  const signature = await one.account.signTypedData(typedData as Parameters<typeof one.account.signTypedData>[0]);
  const sent = await submit(one, authorization, signature);
  expect(sent).toMatchObject({ state: 'sent', receiptId: one.receiptId });
  await land();
  expect(await world.status(one.merchant, one.receiptId)).toBe('tx_mined');
  expect(await world.read(one.merchant, one.receiptId)).toMatchObject({
    transactionHash: sent.transactionHash,
    buyerWallet: one.wallet,
  });
  expect(await stateOf(one)).toEqual(['credited']);
});

test('a draft is valid by the time of the chain, also where the server’s clock is far behind it', async () => {
  const one = await buyer();
  const behind = { ...deps, clock: () => deps.clock() - 3_600_000 };
  const place = { merchant: one.merchant, receiptId: one.receiptId, token: 'USDC' };
  const { authorization, typedData } = await draftAuthorization(behind, place, one.wallet);
  const signature = await one.account.signTypedData(typedData as Parameters<typeof one.account.signTypedData>[0]);
  expect(await submit(one, authorization, signature, behind)).toMatchObject({ state: 'sent' });
  await land();
});

test('the same authorization pays one receipt once, also in requests at the same time', async () => {
  const [one, other] = [await buyer(), await quoted(world, 1_000)];
  const answers = await Promise.all([1, 2, 3].map(() => submit(one, one.quoted)));
  expect(new Set(answers.map(({ transactionHash }) => transactionHash)).size).toBe(1);
  await expect(submit({ ...one, ...other }, one.quoted)).rejects.toThrow(refusal('authorization_used'));
  await land();
  expect((await submit(one, one.quoted)).state).toBe('credited');
  const transfers = await deps.db.orm.em.fork().find(TransferSchema, { merchant: one.merchant });
  expect(transfers.map(({ amount, receiptId }) => ({ amount, receiptId }))).toEqual([
    { amount: one.quote.amount, receiptId: one.receiptId },
  ]);
});

test('an authorization is carried out also if the split is emptied before, which makes the transfer cost more', async () => {
  const one = await buyer();
  const split = toAddress(one.quoted.to);
  await mintTestTokens(chain, 'USDC', one.quoted.to, 1_000n);
  await world.control.setBalance({ address: split, value: 10n ** 18n });
  await world.control.impersonateAccount({ address: split });
  await world.control.setAutomine(false);
  onTestFinished(() => world.control.setAutomine(true));
  await submit(one, one.quoted);
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [toAddress(randomWallet()), 1_000n],
  });
  const release = { from: split, to: toAddress(usdcOf(chain)), data, maxPriorityFeePerGas: '0x1bf08eb000' };
  const call = { ...release, maxFeePerGas: '0x2540be4000' };
  await world.control.request({ method: 'eth_sendTransaction', params: [call] } as never);
  await world.control.mine({ blocks: 1 });
  await land();
  expect(await stateOf(one)).toEqual(['credited']);
});

test('a receipt takes one authorization at a time', async () => {
  const one = await buyer();
  await world.control.setAutomine(false);
  onTestFinished(() => world.control.setAutomine(true));
  await submit(one, one.quoted);
  const second = authorizationOf(one.wallet, { to: one.quoted.to, value: one.quoted.value });
  await expect(submit(one, second)).rejects.toThrow(refusal('payment_underway'));
  await world.mine(1);
  await land();
  await expect(submit(one, second)).rejects.toThrow(refusal('invalid_input'));
  expect(await countAttempts(deps.db, one)).toBe(1);
});

test('if someone else carries the authorization out first, the payment counts for its receipt', async () => {
  const one = await buyer();
  await world.control.setAutomine(false);
  onTestFinished(() => world.control.setAutomine(true));
  const signature = await signAuthorization(chain, one.account, one.quoted);
  const call = authorizedTransfer(usdcOf(chain), one.quoted, { signature, byKey: true });
  const { transactionHash } = await submit(one, one.quoted, signature);
  // Miners take the transaction with the higher fee first.
  const hash = await chain.client.request({
    method: 'eth_sendTransaction' as never,
    params: [
      {
        from: stranger.address,
        to: call.to,
        data: call.data,
        gas: '0x493e0',
        maxFeePerGas: '0x174876e800',
        maxPriorityFeePerGas: '0x174876e800',
      },
    ] as never,
  });
  await world.mine(1);
  await finish();
  expect(await stateOf(one)).toEqual(['failed']);
  // The transfer is not found yet: another authorization would pay twice.
  const second = authorizationOf(one.wallet, { to: one.quoted.to, value: one.quoted.value });
  await expect(submit(one, second)).rejects.toThrow(refusal('payment_underway'));
  await world.look();
  const { status } = await chain.client.getTransactionReceipt({ hash: transactionHash });
  expect(status).toBe('reverted');
  expect(await world.read(one.merchant, one.receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: hash });
  expect(await stateOf(one)).toEqual(['credited']);
});

const now = () => BigInt(Math.floor(Date.now() / 1_000));
const wrong: Record<string, (one: Authorization) => Authorization> = {
  wrong_recipient: (one) => ({ ...one, to: randomWallet() }),
  wrong_amount: (one) => ({ ...one, value: one.value - 1n }),
  not_yet_valid: (one) => ({ ...one, validAfter: now() + 600n }),
  expired: (one) => ({ ...one, validBefore: now() + 5n }),
};
test.each(Object.entries(wrong))('an authorization with %s is refused', async (reason, change) => {
  const one = await buyer();
  await expect(submit(one, change(one.quoted))).rejects.toThrow(refusal('authorization_refused', reason));
  expect(await stateOf(one)).toEqual([]);
});

test('a signature for another chain, token or message, or by another wallet, is refused', async () => {
  const one = await buyer();
  const signatures = await Promise.all([
    signAuthorization(chain, one.account, one.quoted, { chainId: 1 }),
    signAuthorization(chain, one.account, one.quoted, { verifyingContract: one.account.address }),
    signAuthorization(chain, one.account, one.quoted, { version: '1' }),
    signAuthorization(chain, one.account, { ...one.quoted, value: 1n }),
    signAuthorization(chain, newAuthorizer().account, one.quoted),
  ]);
  for (const signature of signatures)
    await expect(submit(one, one.quoted, signature)).rejects.toThrow(
      refusal('authorization_refused', 'invalid_signature'),
    );
  await expect(submit(one, one.quoted, '0x1234')).rejects.toThrow(refusal('authorization_refused'));
});

test('a cancelled authorization, and one without the money, are refused', async () => {
  const one = await buyer();
  const { hash } = await stranger.send(await cancellation(chain, one, one.quoted.nonce));
  await stranger.waitFor(hash!);
  await expect(submit(one, one.quoted)).rejects.toThrow(refusal('authorization_used'));
  const poor = newAuthorizer();
  const empty = authorizationOf(poor.wallet, { to: one.quoted.to, value: one.quoted.value });
  await expect(submit({ ...one, ...poor }, empty)).rejects.toThrow(
    refusal('authorization_refused', 'insufficient_balance'),
  );
});

test('a smart account pays with the signature of its owner', async () => {
  const one = await quoted(world, 2_000);
  const owner = newAuthorizer();
  const account = accountOf([owner.wallet]);
  await stranger.waitFor((await stranger.send(createAccountTransaction([owner.wallet]))).hash!);
  const value = BigInt(one.quote.amount);
  await mintTestTokens(chain, 'USDC', account, value);
  await submit({ ...one, ...owner }, authorizationOf(account, { to: one.quote.payTo, value }));
  await land();
  expect(await world.read(one.merchant, one.receiptId)).toMatchObject({ status: 'tx_mined', buyerWallet: account });
});

test('the amount of another receipt’s quote is refused', async () => {
  const one = await buyer();
  const receiptId = await world.receipt(one.merchant, 1_001);
  const other = await quotePayment(deps, { merchant: one.merchant, receiptId, token: 'USDC' });
  const value = BigInt(other.amount);
  await expect(submit(one, { ...one.quoted, value })).rejects.toThrow(refusal('authorization_refused', 'wrong_amount'));
});

async function turnOff(wallet: Wallet): Promise<void> {
  const shop = { ...DEFAULT_SHOP, gasless: false };
  const row = { wallet, shop, name: 'Shop', brandKey: 'shop', pricing: DEFAULT_PRICING, createdAt: 0, updatedAt: 0 };
  await deps.db.orm.em.fork().insert(MerchantSchema, row);
}

test('nothing is sent without a settlement wallet, above the limits for gas and for a day, for another token, or against the merchant’s wish', async () => {
  const one = await buyer();
  const settings = (more: Partial<typeof deps.settings>) => ({ settings: { ...deps.settings, ...more } });
  const refused = async (given: Partial<typeof deps>, reason: string) =>
    expect(submit(one, one.quoted, undefined, given)).rejects.toThrow(refusal('gasless_unavailable', reason));
  await refused(settings({ settlementPrivateKey: null }), 'operator');
  await refused(settings({ gaslessMaxGasUsd: '0' }), 'operator');
  await refused(settings({ gaslessMaxGasUsd: '0.000001' }), 'gas_limit');
  await refused(settings({ gaslessPerDay: 0 }), 'daily_limit');
  await expect(
    draftAuthorization(deps, { merchant: one.merchant, receiptId: one.receiptId, token: 'USDT' }, one.wallet),
  ).rejects.toThrow(refusal('gasless_unavailable', 'token'));
  await turnOff(one.merchant);
  await refused({}, 'merchant');
  expect(await stateOf(one)).toEqual([]);
});

test('the payments of a merchant within 24 hours are limited; a repetition of one is not counted', async () => {
  const one = await buyer();
  const limited = { ...deps, settings: { ...deps.settings, gaslessPerDay: 1 } };
  const { merchant, receiptId } = one;
  expect(await isGasless(limited, merchant, 'USDC')).toBe(true);
  const sent = await submit(one, one.quoted, undefined, limited);
  await land();
  expect(await submit(one, one.quoted, undefined, limited)).toMatchObject({ nonce: sent.nonce, state: 'credited' });

  const refused = refusal('gasless_unavailable', 'daily_limit');
  await expect(draftAuthorization(limited, { merchant, receiptId, token: 'USDC' }, one.wallet)).rejects.toThrow(
    refused,
  );
  expect(await isGasless(limited, merchant, 'USDC')).toBe(false);
  expect(await isGasless(limited, (await buyer()).merchant, 'USDC')).toBe(true);
  const dayLater = { ...limited, clock: () => deps.clock() + 86_400_001 };
  expect(await isGasless(dayLater, merchant, 'USDC')).toBe(true);
});

test('the payments of all merchants together within 24 hours are limited, however many merchants there are', async () => {
  const [one, other] = [await buyer(), await buyer()];
  const wallet = openWallet('settlement', deps.settings.settlementPrivateKey!);
  const since = deps.clock() - 86_400_000;
  const wanted = { purpose: 'authorization', since } as const;
  const total = [...(await countSent(deps, wallet, wanted)).values()].reduce((all, count) => all + count, 0);
  const limited = { ...deps, settings: { ...deps.settings, gaslessPerDayTotal: total + 1 } };
  expect(await isGasless(limited, other.merchant, 'USDC')).toBe(true);
  await submit(one, one.quoted, undefined, limited);
  await land();
  for (const { merchant } of [one, other, await buyer()])
    expect(await isGasless(limited, merchant, 'USDC')).toBe(false);
  await expect(submit(other, other.quoted, undefined, limited)).rejects.toThrow(
    refusal('gasless_unavailable', 'daily_limit'),
  );
});

test('what a rollup takes for the data of a transaction counts for the limit', async () => {
  const one = await buyer();
  // The contract of rollups at its address, which answers 0.01 ether to everything.
  const bytecode = `0x7f${(10n ** 16n).toString(16).padStart(64, '0')}60005260206000f3` as const;
  await world.control.setCode({ address: '0x420000000000000000000000000000000000000F', bytecode });
  onTestFinished(() =>
    world.control.setCode({ address: '0x420000000000000000000000000000000000000F', bytecode: '0x' }),
  );
  const rollup = { ...chain, kept: new Map() };
  expect(await readDataFee(rollup, 300)).toBe(10n ** 16n);
  await expect(submit(one, one.quoted, undefined, { chain: rollup })).rejects.toThrow(
    refusal('gasless_unavailable', 'gas_limit'),
  );
  expect(await readDataFee(chain, 300)).toBe(0n);
});
