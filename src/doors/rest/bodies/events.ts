import { feedQuery } from '../../../domain/reports/events/feed.input.ts';
import { readsQuery } from '../reader.ts';

/** The query of `GET /api/events`. */
export const eventsQuery = readsQuery(feedQuery, ({ after, limit = null }) => ({ after: after || null, limit }));
