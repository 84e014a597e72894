import { z } from 'zod';
import { fault } from '../core/input.ts';
import { jsonObject } from '../core/json.ts';
import { country, email, filledText, identifier, label, MAX_DESCRIPTION } from '../core/text.ts';
import { buyerUrl, callbackUrl, type UrlPolicy, webUrl } from '../core/url.ts';
import { isWebAddress } from './after-payment.ts';
import type { BillingAddress } from './receipt.entity.ts';

/** An optional parameter of an order or a receipt, with its aliases. */
export interface Option {
  /** Where the value is stored: a field of `ReceiptOptions` or of its billing address. */
  readonly name: Exclude<keyof ReceiptOptions, 'billingAddress'> | `billingAddress.${keyof BillingAddress}`;
  readonly kind: 'string' | 'object';
  /** In camelCase, in order of precedence; each is also accepted in snake_case. */
  readonly aliases: readonly string[];
  readonly about: string;
}

/** The optional parameters after parsing. */
export interface ReceiptOptions {
  /** Where the card provider returns the buyer to. */
  redirectUrl?: string;
  /** Where the buyer's browser goes after payment. */
  successUrl?: string;
  /** A URL or a script for after payment. */
  postPayment?: string;
  webhookUrl?: string;
  /** The merchant's own reference. */
  transactionId?: string;
  metadata?: Record<string, unknown>;
  buyerEmail?: string;
  /**
   * Only the fields that were given; the buyer's e-mail fills a missing billing e-mail. Absent if nothing was given.
   */
  billingAddress?: BillingAddress;
}

const option = (name: Option['name'], about: string, aliases: string, kind: Option['kind'] = 'string'): Option => ({
  name,
  kind,
  about,
  aliases: aliases.split(' '),
});

/**
 * All optional parameters with their aliases, in the order of the contract. The documentation is generated from this
 * list.
 */
export const OPTIONS: readonly Option[] = [
  option('redirectUrl', 'HTTPS URL that the card provider returns the buyer to', 'redirectUrl'),
  option('successUrl', "URL that the buyer's browser goes to after payment", 'returnUrl successRedirectUrl successUrl'),
  option('postPayment', 'A redirect URL or a script, run after payment', 'onSuccess postPaymentScript'),
  option(
    'buyerEmail',
    "The buyer's e-mail address; the portal does not ask for it again",
    'buyerEmail email customerEmail',
  ),
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
    "The merchant's own reference; returned with the receipt",
    'transactionId clientTransactionId externalTransactionId referenceId',
  ),
  option('metadata', 'JSON object; returned with the receipt and in webhooks', 'metadata', 'object'),
  option('webhookUrl', 'HTTPS endpoint that receives every change', 'webhookUrl'),
];

/** The fields of the billing address, which may also be sent in an object `billingAddress`. */
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

/** The spellings of an alias: `addressLine1`, `address_line1` and `address_line_1`. */
export function spellings(alias: string): string[] {
  const snake = alias.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [...new Set([alias, snake, snake.replace(/(?<=[a-z])\d/g, '_$&')])];
}

interface Source {
  readonly name: Option['name'];
  readonly kind: Option['kind'];
  /** The lowest rank wins. */
  readonly rank: number;
}

const sources = new Map<string, Source>();
for (const { name, kind, aliases } of OPTIONS) {
  for (const spelling of aliases.flatMap(spellings)) sources.set(spelling, { name, kind, rank: sources.size });
}
const objectSpellings = spellings('billingAddress');
/** Ranked after all flat aliases. */
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

/** Every name at the top level of a body that an optional parameter is read from. */
export const OPTION_SPELLINGS: ReadonlySet<string> = new Set(sources.keys());

/** The names of the address object, and of the fields in it. */
export const BILLING_SPELLINGS = { object: objectSpellings, fields: new Set(objectSources.keys()) } as const;

/** Reads the optional parameters from a request body. */
export type OptionsReader = (body: Readonly<Record<string, unknown>>, ctx: z.RefinementCtx) => ReceiptOptions;

/**
 * Creates the reader. Every alias in the body must have the right type; a fault names the alias as it was sent. If
 * several aliases of one parameter are sent, the first in the table counts, and only its content is checked. Null and
 * the empty string count as not sent.
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

/** Collects the highest-ranked alias of each parameter. */
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

/** A script, or an address under the rules of the success redirect. */
function postPayment(urls: UrlPolicy) {
  const address = buyerUrl(urls);
  return filledText(MAX_DESCRIPTION).superRefine((value, ctx) => {
    const fault = isWebAddress(value) ? address.safeParse(value.trim()).error?.issues[0] : undefined;
    if (fault) ctx.addIssue({ code: 'custom', message: fault.message });
  });
}

/** The content rules of each parameter. Labels have the usual length limit. */
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

/** The names that the contract gives in snake_case. The document lists them beside the names in camelCase. */
const snakeCaseNames = ['redirect_url', 'webhook_url'];

/** The optional parameters for the API document: each under its first name, with its aliases in the description. */
export const optionFields = (() => {
  const schemas = contentSchemas({ allowInsecure: false });
  const flat = OPTIONS.flatMap(({ name, about, aliases: [first = name, ...others] }) => {
    const more = others.length > 0 ? ` Also as ${others.map((alias) => `\`${alias}\``).join(', ')}.` : '';
    return [
      [first, schemas[name].optional().describe(`${about}.${more}`)],
      ...snakeCaseNames
        .filter((one) => spellings(first).includes(one))
        .map((one) => [one, schemas[name].optional().describe(`The same as \`${first}\`.`)]),
    ] as const;
  });
  const address = BILLING_FIELDS.map((field) => [field, schemas[`billingAddress.${field}`].optional()] as const);
  return z.object({
    ...Object.fromEntries(flat),
    billingAddress: z.object(Object.fromEntries(address)).optional().describe('The same fields as an object.'),
  });
})();
