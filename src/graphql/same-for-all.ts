import type { GraphQLSchema } from 'graphql';
import type { Prepared } from './execute.ts';

/** Whether a subscription tells the same to all who may follow it: its root field says so in `extensions.sameForAll`. */
export function isSameForAll(schema: GraphQLSchema, { survey }: Pick<Prepared, 'survey'>): boolean {
  const field = schema.getSubscriptionType()?.getFields()[survey.rootFields[0] as string];
  return (field?.extensions as { sameForAll?: boolean } | undefined)?.sameForAll === true;
}
