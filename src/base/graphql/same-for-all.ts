import type { GraphQLSchema } from 'graphql';
import type { Prepared } from './prepared.ts';

/**
 * Whether all authorized subscribers receive the same events, as the root field declares in `extensions.sameForAll`.
 */
export function isSameForAll(schema: GraphQLSchema, { survey }: Pick<Prepared, 'survey'>): boolean {
  const field = schema.getSubscriptionType()?.getFields()[survey.rootFields[0] as string];
  return (field?.extensions as { sameForAll?: boolean } | undefined)?.sameForAll === true;
}
