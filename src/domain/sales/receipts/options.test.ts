import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../../base/core/input.ts';
import { BILLING_FIELDS, OPTIONS, optionsReader, spellings } from './options.ts';

const schemaFor = (allowInsecure: boolean) => {
  const read = optionsReader({ allowInsecure });
  return z.looseObject({}).transform((body, ctx) => read(body, ctx));
};
const strict = schemaFor(false);
const read = (body: Record<string, unknown>) => parseInput(strict, body);
const invalid = (message: string | RegExp, field: string) =>
  expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message), extra: { field } });

/** A valid value for each parameter. */
const samples: Record<string, unknown> = {
  redirectUrl: 'https://shop.example/onramp',
  successUrl: 'https://shop.example/thanks',
  postPayment: 'console.log("paid")',
  webhookUrl: 'https://shop.example/hook',
  transactionId: 'T-1',
  language: 'de-AT',
  metadata: { cart: 7 },
  buyerEmail: 'buyer@shop.example',
  'billingAddress.email': 'bill@shop.example',
  'billingAddress.country': 'US',
};
const sample = (name: string) => samples[name] ?? 'Some text';

test('no alias belongs to two parameters', () => {
  const all = OPTIONS.flatMap((option) => option.aliases.flatMap(spellings));
  expect(new Set(all).size).toBe(all.length);
});

// Contract: orders.option-aliases, orders.option-redirect, orders.option-success, orders.option-post-payment
// Contract: orders.option-email, orders.option-names, orders.option-address, orders.option-reference
// Contract: orders.option-metadata, receipts.options
test.each(OPTIONS.flatMap((option) => option.aliases.flatMap(spellings).map((alias) => [alias, option.name] as const)))(
  '%s is %s',
  (alias, name) => {
    const value = sample(name);
    const [field, part] = name.split('.') as [string, string | undefined];
    expect(read({ [alias]: value })).toMatchObject({ [field]: part ? { [part]: value } : value });
  },
);

test('spellings are camelCase and snake_case, with the digit on either side of the underscore', () => {
  expect(spellings('billingAddressLine1')).toEqual([
    'billingAddressLine1',
    'billing_address_line1',
    'billing_address_line_1',
  ]);
  expect(spellings('email')).toEqual(['email']);
});

test('the first alias of the table wins, regardless of the order in the body', () => {
  expect(read({ successUrl: 'https://c.example', returnUrl: 'https://a.example' })).toEqual({
    successUrl: 'https://a.example',
  });
  expect(read({ referenceId: 'last', client_transaction_id: 'second' })).toEqual({ transactionId: 'second' });
});

test('null and the empty string count as not sent', () => {
  expect(read({ returnUrl: null, successRedirectUrl: '', successUrl: 'https://c.example', city: '' })).toEqual({
    successUrl: 'https://c.example',
  });
});

test('a body without options yields no options, and its other fields are ignored', () => {
  expect(read({ items: [], __typename: 'x', unknown: 5 })).toEqual({});
});

describe('an invalid alias is refused with invalid_input that names the alias as sent', () => {
  test.each([
    [{ customer_address_line_1: 5 }, /^customer_address_line_1 must be a string/, 'customer_address_line_1'],
    [{ returnUrl: 'https://a.example', successUrl: 5 }, /^successUrl must be a string/, 'successUrl'],
    [{ redirect_url: 'http://a.example' }, /^redirect_url must be an https URL/, 'redirect_url'],
    [{ returnUrl: 'http://a.example' }, /^returnUrl must be an https URL/, 'returnUrl'],
    [{ returnUrl: 'https://localhost/thanks' }, /^returnUrl must not lead to a local/, 'returnUrl'],
    [{ onSuccess: 'http://a.example/x' }, /^onSuccess must be an https URL/, 'onSuccess'],
    [{ onSuccess: ' https://127.1/x ' }, /^onSuccess must not lead to a local/, 'onSuccess'],
    [{ onSuccess: 'x'.repeat(4_001) }, /^onSuccess must be a string of 1 to 4000/, 'onSuccess'],
    [{ webhook_url: 'https://127.0.0.1/x' }, /^webhook_url must not lead to a local/, 'webhook_url'],
    [{ customerEmail: 'no-address' }, /^customerEmail must be an e-mail address/, 'customerEmail'],
    [{ country: 'Germany' }, /^country must be a two-letter/, 'country'],
    [{ language: 'German' }, /^language must be the tag of a language/, 'language'],
    [{ language: 'de_DE' }, /^language must be the tag of a language/, 'language'],
    [{ language: `de-${'x-'.repeat(20)}a` }, /^language must be the tag of a language/, 'language'],
    [{ language: 'de\u0000' }, /^language must be the tag of a language/, 'language'],
    [{ metadata: 'x' }, /^metadata must be a JSON object/, 'metadata'],
    [{ metadata: [] }, /^metadata must be a JSON object/, 'metadata'],
    [{ transactionId: 'x'.repeat(129) }, /^transactionId must be a string of 1 to 128/, 'transactionId'],
    [{ firstName: 'a\u0000' }, /^firstName must not contain NUL/, 'firstName'],
    [{ billingAddress: 'x' }, /^billingAddress must be an object/, 'billingAddress'],
    [{ billing_address: [] }, /^billing_address must be an object/, 'billing_address'],
    [{ billingAddress: { zip: 5 } }, /^billingAddress\.zip must be a string/, 'billingAddress.zip'],
    [{ billingAddress: { email: 'x' } }, /^billingAddress\.email must be an e-mail/, 'billingAddress.email'],
  ])('%j', (body, message, field) => {
    expect(() => read(body)).toThrow(invalid(message, field));
  });
});

test('an address to which no server delivers is refused, and a rare one is taken', () => {
  const bad = ['a..b@x.example', '.a@x.example', 'a.@x.example', 'a@.example', 'a@x..example', 'a@x.example.'];
  for (const customerEmail of [...bad, 'g:a@b.example;', 'a@[127.0.0.1]', 'a,b@x.example', 'a(b)@x.example'])
    expect(() => read({ customerEmail })).toThrow(invalid(/must be an e-mail address/, 'customerEmail'));
  for (const email of ['jörg@bücher.example', "o'neil+shop@x.example", 'a@localhost'])
    expect(read({ customerEmail: email })).toMatchObject({ billingAddress: { email } });
});

test('http and local addresses are accepted if the operator allows them', () => {
  const body = { webhook_url: 'http://hooks.example/q', redirectUrl: 'http://localhost:3000' };
  expect(parseInput(schemaFor(true), body)).toEqual({ webhookUrl: body.webhook_url, redirectUrl: body.redirectUrl });
});

test.each(['redirectUrl', 'redirect_url', 'returnUrl', 'success_url'])(
  '%s of another machine is https, also where the operator allows http',
  (name) => {
    const outside = { [name]: 'http://shop.example/back' };
    expect(() => parseInput(schemaFor(true), outside)).toThrow(invalid(/must be https, except to a local/, name));
    expect(() => parseInput(schemaFor(true), { [name]: 'https://shop.example/back' })).not.toThrow();
    expect(() => read({ [name]: 'https://localhost/back' })).toThrow(invalid(/must not lead to a local/, name));
  },
);

test('a language is stored in its usual letter case, also one that there are no pages in', () => {
  expect([read({ language: 'PT-br' }), read({ language: 'ja' })]).toEqual([{ language: 'pt-BR' }, { language: 'ja' }]);
});

test('post-payment logic is an address or any script', () => {
  for (const logic of ['https://a.example/next?x=1', 'location = "http://a.example"', '</script><b>', 'javascript:0'])
    expect(read({ postPaymentScript: logic })).toEqual({ postPayment: logic });
});

describe('the billing address', () => {
  const whole = Object.fromEntries(BILLING_FIELDS.map((field) => [field, sample(`billingAddress.${field}`)]));

  test('it is accepted as an object', () => {
    expect(read({ billingAddress: whole })).toEqual({ billingAddress: whole });
    expect(read({ billing_address: { first_name: 'Ada', line_1: 'x' } })).toEqual({
      billingAddress: { firstName: 'Ada', line1: 'x' },
    });
  });

  test('a separate parameter takes precedence over the object', () => {
    expect(read({ billingAddress: { city: 'Bonn' }, customerAddressCity: 'Köln' })).toEqual({
      billingAddress: { city: 'Köln' },
    });
  });

  test("the buyer's e-mail fills it only if no billing e-mail is given", () => {
    expect(read({ email: 'a@b.co' })).toEqual({ buyerEmail: 'a@b.co', billingAddress: { email: 'a@b.co' } });
    expect(read({ email: 'a@b.co', billingEmail: 'c@d.co' }).billingAddress).toEqual({ email: 'c@d.co' });
    expect(read({ email: 'a@b.co', billingAddress: { email: 'c@d.co' } }).billingAddress).toEqual({ email: 'c@d.co' });
  });
});
