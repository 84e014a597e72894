/**
 * The limits of texts, amounts and lists. They stand apart from the schemas that check them, so that a page can check
 * the same limits without loading the schemas.
 */

/** The longest texts, in UTF-16 units. */
export const MAX_LABEL = 256;
export const MAX_ID = 128;
export const MAX_DESCRIPTION = 4_000;

/** The most words of a list, such as tags, and the longest one. */
export const MAX_WORDS = 50;
export const MAX_WORD = 64;

/** The largest amount, in cents: 10,000,000.00. Error messages contain it. It is far below the largest safe integer. */
export const MAX_AMOUNT_CENTS = 1_000_000_000;

/** The largest stock. */
export const MAX_STOCK = 1_000_000_000;

/**
 * A SKU as it is stored and looked for, so that SKUs that look the same are the same: composed letters (NFC), without
 * characters that cannot be seen and spaces around it.
 */
export const plainSku = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim();

/** Whether PostgreSQL and JSON can represent the text: no NUL characters, no lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
