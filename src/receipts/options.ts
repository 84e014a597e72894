import { z } from 'zod';
import { fault } from '../core/input.ts';
import { jsonObject } from '../core/json.ts';
import { country, email, filledText, identifier, label, MAX_DESCRIPTION } from '../core/text.ts';
import { buyerUrl, callbackUrl, type UrlPolicy, webUrl } from '../core/url.ts';
import { isWebAddress } from './after-payment.ts';
import type { BillingAddress } from './receipt.entity.ts';

/** One optional parameter of an order or a receipt: what it is for, and every name it goes by. */
export interface Option {
  /** Where it ends up: a field of `ReceiptOptions`, or of its billing address. */
  readonly name: Exclude<keyof ReceiptOptions, 'billingAddress'> | `billingAddress.${keyof BillingAddress}`;
  readonly kind: 'string' | 'object';
  /** In camelCase, the first one first; each is taken in snake_case too. */
  readonly aliases: readonly string[];
  readonly about: string;
}

/** The optional parameters as they are kept. */
export interface ReceiptOptions {
  /** Where the card provider sends the buyer back to. */
  redirectUrl?: string;
  /** Where the buyer's browser goes after success. */
  successUrl?: string;
  /** A URL or a script, for after success. */
  postPayment?: string;
  webhookUrl?: string;
  /** The merchant's own reference. */
  transactionId?: string;
  metadata?: Record<string, unknown>;
  buyerEmail?: string;
  /** Only what was given, with the buyer's e-mail where no billing e-mail was; absent where nothing was. */
  billingAddress?: BillingAddress;
}

const option = (name: Option['name'], about: string, aliases: string, kind: Option['kind'] = 'string'): Option => ({
  name,
  kind,
  about,
  aliases: aliases.split(' '),
});

/** Every optional parameter with its aliases, in the order of the contract. The only list of them: documents are made from it. */
export const OPTIONS: readonly Option[] = [
  option('redirectUrl', 'HTTPS URL that the card provider returns the buyer to', 'redirectUrl'),
  option('successUrl', "URL for the buyer's browser after payment", 'returnUrl successRedirectUrl successUrl'),
  option('postPayment', 'A redirect URL or a script, run after payment', 'onSuccess postPaymentScript'),
  option('buyerEmail', "The buyer's e-mail address, so that the portal need not ask", 'buyerEmail email customerEmail'),
  option('billingAddress.firstName', 'First name', 'firstName buyerFirstName billingFirstName customerFirstName'),
  option('billingAddress.lastName', 'Last name', 'lastName buyerLastName billingLastName customerLastName'),
  option('billingAddress.email', 'Billing e-mail address', 'billingEmail'),
  option('billingAddress.phone', 'Phone number', 'phone buyerPhone billingPhone customerPhone'),
  option('billingAddress.line1', 'Address line 1', 'line1 addressLine1 billingAddressLine1 customerAddressLine1'),
  option('billingAddress.line2', 'Address line 2', 'line2 addressLine2 billingAddressLine2 customerAddressLine2'),
  option('billingAddress.city', 'City', 'city addressCity billingAddressCity customerAddressCity'),
  option(
    'billingAddress.state',
    'State or region; two letters preferred',
    'state region addressState addressRegion billingAddressState billingAddressRegion customerAddressState customerAddressRegion',
  ),
  option(
    'billingAddress.zip',
    'Zip or postal code',
    'zip postalCode addressZip addressPostalCode billingAddressZip billingAddressPostalCode customerAddressZip customerAddressPostalCode',
  ),
  option(
    'billingAddress.country',
    'Country, two letters (ISO 3166)',
    'country addressCountry billingAddressCountry customerAddressCountry',
  ),
  option(
    'transactionId',
    "The merchant's own reference; comes back with the receipt",
    'transactionId clientTransactionId externalTransactionId referenceId',
  ),
  option('metadata', 'JSON object; comes back with the receipt and in webhooks', 'metadata', 'object'),
  option('webhookUrl', 'HTTPS endpoint that hears of every change', 'webhookUrl'),
];

/** The record's own fields, as they may also be sent in an object `billingAddress`. */
export const BILLING_FIELDS = [
  'firstName',
  'lastName',
  'phone',
  'email',
  'line1',
  'line2',
  'city',
  'state',
  'zip',
  'country',
] as const satisfies readonly (keyof BillingAddress)[];

/** `addressLine1` in its spellings: as it is, `address_line1` and `address_line_1`. */
export function spellings(alias: string): string[] {
  const snake = alias.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [...new Set([alias, snake, snake.replace(/(?<=[a-z])\d/g, '_$&')])];
}

interface Source {
  readonly name: Option['name'];
  readonly kind: Option['kind'];
  /** Smaller wins. */
  readonly rank: number;
}

const sources = new Map<string, Source>();
for (const { name, kind, aliases } of OPTIONS) {
  for (const spelling of aliases.flatMap(spellings)) sources.set(spelling, { name, kind, rank: sources.size });
}
const objectSpellings = spellings('billingAddress');
/** Ranked after every flat alias. */
const objectSources = new Map<string, Source>();
for (const field of BILLING_FIELDS) {
  for (const spelling of spellings(field)) {
    objectSources.set(spelling, {
      name: `billingAddress.${field}`,
      kind: 'string',
      rank: sources.size + objectSources.size,
    });
  }
}

/** Reads the optional parameters out of a whole body. */
export type OptionsReader = (body: Readonly<Record<string, unknown>>, ctx: z.RefinementCtx) => ReceiptOptions;

/**
 * Makes the reader: every alias that was sent must be of the right type (the fault names the alias as it was sent); among those of one parameter the
 * first of the table counts, and its content is checked. Null and the empty string count as not sent.
 */
export function optionsReader(urls: UrlPolicy): OptionsReader {
  const schemas = contentSchemas(urls);
  return (body, ctx) => {
    const sent = new Map<Option['name'], Sent>();
    collect(body, sources, [], sent, ctx);
    for (const spelling of objectSpellings) {
      const address = body[spelling];
      if (address === undefined || address === null) continue;
      if (typeof address !== 'object' || Array.isArray(address)) fault(ctx, 'must be an object', [spelling]);
      else collect(address as Record<string, unknown>, objectSources, [spelling], sent, ctx);
    }
    const options: ReceiptOptions = {};
    const billing: BillingAddress = {};
    for (const [name, { path, value }] of sent) {
      const read = schemas[name].safeParse(value);
      if (!read.success) {
        const issue = read.error.issues[0]!;
        fault(ctx, issue.message, [...path, ...issue.path]);
      } else if (name.startsWith(BILLING))
        billing[name.slice(BILLING.length) as keyof BillingAddress] = read.data as string;
      else Object.assign(options, { [name]: read.data });
    }
    if (options.buyerEmail !== undefined) billing.email ??= options.buyerEmail;
    if (Object.keys(billing).length > 0) options.billingAddress = billing;
    return options;
  };
}

const BILLING = 'billingAddress.';

interface Sent {
  readonly rank: number;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Keeps of what was sent the first alias of each parameter. */
function collect(
  body: Readonly<Record<string, unknown>>,
  from: ReadonlyMap<string, Source>,
  under: readonly string[],
  sent: Map<Option['name'], Sent>,
  ctx: z.RefinementCtx,
): void {
  for (const key of Object.keys(body)) {
    const source = from.get(key);
    if (!source) continue;
    const value = body[key];
    if (value === undefined || value === null || value === '') continue;
    const path = [...under, key];
    if (source.kind === 'string' && typeof value !== 'string') fault(ctx, 'must be a string', path);
    else if (source.rank < (sent.get(source.name)?.rank ?? Infinity))
      sent.set(source.name, { rank: source.rank, path, value });
  }
}

/** A script, or an address by the rules of the success redirect. */
function postPayment(urls: UrlPolicy) {
  const address = buyerUrl(urls);
  return filledText(MAX_DESCRIPTION).superRefine((value, ctx) => {
    const fault = isWebAddress(value) ? address.safeParse(value.trim()).error?.issues[0] : undefined;
    if (fault) ctx.addIssue({ code: 'custom', message: fault.message });
  });
}

/** What each parameter may hold. Labels are bounded like all others. */
function contentSchemas(urls: UrlPolicy): Readonly<Record<Option['name'], z.ZodType>> {
  return {
    redirectUrl: webUrl(urls),
    successUrl: buyerUrl(urls),
    postPayment: postPayment(urls),
    webhookUrl: callbackUrl(urls),
    transactionId: identifier,
    metadata: jsonObject,
    buyerEmail: email,
    'billingAddress.firstName': label,
    'billingAddress.lastName': label,
    'billingAddress.phone': filledText(64),
    'billingAddress.email': email,
    'billingAddress.line1': label,
    'billingAddress.line2': label,
    'billingAddress.city': label,
    'billingAddress.state': label,
    'billingAddress.zip': filledText(32),
    'billingAddress.country': country,
  };
}

/** The optional parameters as the API document shows them: each under its first name, with the others told. */
export const optionFields = (() => {
  const schemas = contentSchemas({ allowInsecure: false });
  const told = OPTIONS.map(({ name, about, aliases: [first = name, ...others] }) => {
    const more = others.length > 0 ? ` Also as ${others.map((alias) => `\`${alias}\``).join(', ')}.` : '';
    return [first, schemas[name].optional().describe(`${about}.${more}`)] as const;
  });
  const address = BILLING_FIELDS.map((field) => [field, schemas[`billingAddress.${field}`].optional()] as const);
  return z.object({
    ...Object.fromEntries(told),
    billingAddress: z.object(Object.fromEntries(address)).optional().describe('The same fields in an object.'),
  });
})();
