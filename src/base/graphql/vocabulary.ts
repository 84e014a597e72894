import { builder } from './builder.ts';

/** A word as the name of an enum value: `inventory:read` → `inventory_read`. */
export const nameOfWord = <Word extends string>(word: Word): string => word.replace(/\W/g, '_');

type Values<Words extends Readonly<Record<string, string>>> = {
  readonly [Word in keyof Words & string]: { readonly value: Word; readonly description: string };
};

/**
 * An enum of a closed vocabulary: its words with their descriptions. Resolvers and inputs have the words; clients of
 * GraphQL see `nameOfWord`. The OpenAPI document lists the words of the same enum.
 *
 * @example
 * vocabulary('RefundState', 'The state of a refund.', { … } satisfies Record<RefundState, string>)
 */
export function vocabulary<const Words extends Readonly<Record<string, string>>>(
  name: string,
  description: string,
  words: Words,
) {
  const values = Object.fromEntries(
    Object.entries(words).map(([word, about]) => [nameOfWord(word), { value: word, description: about }]),
  );
  return builder.enumType(name, { description, values: values as unknown as Values<Words> });
}
