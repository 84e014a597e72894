import { searchQuery } from '../../../domain/people/users/search.input.ts';
import { readsQuery } from '../reader.ts';

/** The query of `GET /api/users/search`. */
export const userSearchQuery = readsQuery(searchQuery, (checked) => checked);
