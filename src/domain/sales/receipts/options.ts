import { z } from 'zod';
import { fault } from '../../../base/core/input.ts';
import { jsonObject } from '../../../base/core/json.ts';
import { MAX_DESCRIPTION } from '../../../base/core/limits.ts';
import { country, email, filledText, identifier, label, languageTag } from '../../../base/core/text.ts';
import { buyerUrl, callbackUrl, type UrlPolicy } from '../../../base/core/url.ts';
import type { builder } from '../../../base/graphql/builder.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { isWebAddress } from './after-payment.ts';
import { BillingAddressInput } from './billing-address-type.ts';
import { type BillingAddress, RECEIPT_COLUMNS, type Receipt } from './receipt.entity.ts';

/** Where the value of a parameter is stored: in a column of the receipt, or in its billing address. */
type OptionName = keyof Receipt | 'buyerEmail' | `billingAddress.${keyof BillingAddress}`;

interface OptionSpec {
  /** In camelCase, in order of precedence; each is also accepted in snake_case. */
  readonly aliases: readonly string[];
  readonly about: string;
  /** The rules for its content. */
  readonly content: (urls: UrlPolicy) => z.ZodType;
  readonly kind: 'string' | 'object';
}

const option = (
  about: string,
  aliases: string,
  content: OptionSpec['content'],
  kind: OptionSpec['kind'] = 'string',
) => ({
  about,
  aliases: aliases.split(' '),
  content,
  kind,
});
const always = (content: z.ZodType) => () => content;

/** The optional parameters, in the order of the contract. The documentation is generated from this table. */
const SPECS = {
  redirectUrl: option('HTTPS URL that the card provider returns the buyer to', 'redirectUrl', buyerUrl),
  successUrl: option(
    "URL that the buyer's browser goes to after payment",
    'returnUrl successRedirectUrl successUrl',
    buyerUrl,
  ),
  postPayment: option('A redirect URL or a script, run after payment', 'onSuccess postPaymentScript', postPayment),
  buyerEmail: option(
    "The buyer's e-mail address; the portal does not ask for it again",
    'buyerEmail email customerEmail',
    always(email),
  ),
  'billingAddress.firstName': option(
    'First name',
    'firstName buyerFirstName billingFirstName customerFirstName',
    always(label),
  ),
  'billingAddress.lastName': option(
    'Last name',
    'lastName buyerLastName billingLastName customerLastName',
    always(label),
  ),
  'billingAddress.email': option('Billing e-mail address', 'billingEmail', always(email)),
  'billingAddress.phone': option('Phone number', 'phone buyerPhone billingPhone customerPhone', always(filledText(64))),
  'billingAddress.line1': option(
    'Address line 1',
    'line1 addressLine1 billingAddressLine1 customerAddressLine1',
    always(label),
  ),
  'billingAddress.line2': option(
    'Address line 2',
    'line2 addressLine2 billingAddressLine2 customerAddressLine2',
    always(label),
  ),
  'billingAddress.city': option('City', 'city addressCity billingAddressCity customerAddressCity', always(label)),
  'billingAddress.state': option(
    'State or region; two letters preferred',
    'state region addressState addressRegion billingAddressState billingAddressRegion customerAddressState customerAddressRegion',
    always(label),
  ),
  'billingAddress.zip': option(
    'Zip or postal code',
    'zip postalCode addressZip addressPostalCode billingAddressZip billingAddressPostalCode customerAddressZip customerAddressPostalCode',
    always(filledText(32)),
  ),
  'billingAddress.country': option(
    'Country, two letters (ISO 3166)',
    'country addressCountry billingAddressCountry customerAddressCountry',
    always(country),
  ),
  transactionId: option(
    "The merchant's own reference; returned with the receipt",
    'transactionId clientTransactionId externalTransactionId referenceId',
    always(identifier),
  ),
  language: option(
    'Language of the pages and mails for the buyer (BCP 47), such as `de`; without it, that of the browser',
    'language',
    always(languageTag),
  ),
  metadata: option(
    'JSON object of at most 8 KiB and 50 keys; returned with the receipt and in webhooks',
    'metadata',
    always(jsonObject),
    'object',
  ),
  webhookUrl: option(
    'HTTPS endpoint that receives every change, signed with the key of the request',
    'webhookUrl',
    callbackUrl,
  ),
} satisfies Partial<Record<OptionName, OptionSpec>>;

/** An optional parameter of an order or a receipt, with its aliases. */
export interface Option extends Omit<OptionSpec, 'content'> {
  readonly name: keyof typeof SPECS;
}

/** All optional parameters. */
export const OPTIONS: readonly Option[] = (Object.keys(SPECS) as Option['name'][]).map((name) => ({
  name,
  ...SPECS[name],
}));

/** The columns of a receipt that hold optional parameters. */
export type OptionColumn = Extract<Option['name'], keyof Receipt> | 'billingAddress';

/**
 * The optional parameters after parsing. Of the billing address, only the fields that were given; the buyer's e-mail
 * fills a missing billing e-mail. Absent if nothing was given.
 */
export type ReceiptOptions = { [Column in OptionColumn]?: NonNullable<Receipt[Column]> } & {
  buyerEmail?: string;
};

/** The optional parameters as columns of a receipt; null if not given. */
export function optionColumns(options: ReceiptOptions): Pick<Receipt, OptionColumn> {
  const columns: Partial<Record<OptionColumn, unknown>> = {};
  for (const column of OPTION_COLUMNS) columns[column] = options[column] ?? null;
  return columns as Pick<Receipt, OptionColumn>;
}

/** The optional parameters that a receipt was made with. */
export function optionsOf(receipt: Receipt): ReceiptOptions {
  return Object.fromEntries(
    OPTION_COLUMNS.flatMap((column) => (receipt[column] === null ? [] : [[column, receipt[column]]])),
  );
}

const OPTION_COLUMNS = RECEIPT_COLUMNS.filter(
  (column) => column in SPECS || column === 'billingAddress',
) as readonly OptionColumn[];

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
const contentSchemas = (urls: UrlPolicy) =>
  Object.fromEntries(OPTIONS.map(({ name }) => [name, SPECS[name].content(urls)])) as Record<Option['name'], z.ZodType>;

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

/** The operator's policy for the URLs that callers give. */
export const urlPolicy = (settings: Settings): UrlPolicy => ({
  allowInsecure: settings.webhookAllowInsecure,
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The name of a parameter in inputs, if it differs from its column. */
const INPUT_NAMES: Readonly<Record<string, string>> = { postPayment: 'onSuccess' };

const typeOf = (name: string, kind: (typeof OPTIONS)[number]['kind']) => {
  if (kind === 'object') return 'JSON';
  return name.endsWith('Id') ? 'ID' : 'String';
};

/** How long a receipt waits, as inputs have it. */
export const expiryInput = (t: InputFields) =>
  t.int({ description: 'Minutes until the receipt ends if it is unpaid: 5 to 129600 (90 days), or 0 for never.' });

/** The optional fields of a receipt, as inputs of orders and receipts have them. */
export const optionInputs = (t: InputFields) => ({
  expiresInMinutes: expiryInput(t),
  ...Object.fromEntries(
    OPTIONS.filter(({ name }) => !name.includes('.')).map(({ name, about, kind }) => [
      INPUT_NAMES[name] ?? name,
      t.field({ type: typeOf(name, kind), description: `${about}.` }),
    ]),
  ),
  billingAddress: t.field({ type: BillingAddressInput, description: 'The billing details of the buyer.' }),
});
