import { searchQuery } from '../../../domain/people/users/search.input.ts';
import { searchUsersOnce } from '../../../domain/people/users/search.ts';
import { LiveUsersDocument, SearchUsersDocument } from '../generated/graphql.ts';
import { withoutNulls } from './omit-nulls.ts';
import { readsQuery } from './reader.ts';
import { type Route, route, scope } from './route.ts';

/** The query of `GET /api/users/search`. */
const userSearchQuery = readsQuery(searchQuery, (checked) => checked);

/** Users, and who is live. */
export const userRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/users/search',
    access: scope('users:read'),
    summary: 'List users',
    detail: 'Sorted by XP, with filters.',
    degrades: true,
    query: userSearchQuery,
    refuses: [],
    operation: SearchUsersDocument,
    variables: ({ query }) => query,
    answer: ({ searchUsers }) => ({ body: withoutNulls(searchUsers) }),
    source: (context, variables) => searchUsersOnce(context, variables),
  }),
  route({
    method: 'GET',
    path: '/api/users/live',
    access: scope('users:read'),
    summary: 'List live users',
    degrades: true,
    refuses: [],
    operation: LiveUsersDocument,
    variables: () => ({}),
    answer: ({ liveUsers }) => ({ body: { live: liveUsers } }),
  }),
];
