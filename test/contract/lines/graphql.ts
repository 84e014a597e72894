import type { ContractSection } from './section.ts';

export const graphql: ContractSection = {
  name: 'graphql',
  title: 'GraphQL',
  lines: {
    scope: '`/api/graphql` needs the scope `graphql:read`',
    methods: 'GET and POST',
    queries: '`user`, `follows`, `liveUsers`, `leaderboard`',
    'no-mutations': 'A developer key cannot run mutations',
  },
};
