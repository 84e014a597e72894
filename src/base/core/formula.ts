/**
 * A spreadsheet executes a text that begins like this; full-width signs count in some languages. Apostrophes before
 * it count too, so that the escape can be undone.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

/** A text for a spreadsheet: an apostrophe keeps a formula from being executed. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text that was escaped. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
