import { builder } from './builder.ts';

export const SortOrder = builder.enumType('SortOrder', {
  description: 'The sort direction.',
  values: { asc: { description: 'Ascending.' }, desc: { description: 'Descending.' } } as const,
});
