import { merchantOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { EVENT_KINDS } from '../../webhooks/events/kinds.ts';
import { feedInput } from './feed.input.ts';
import { type EventPage, type FeedEvent, PAGE_MAX, readEvents } from './feed.ts';

const EventKindEnum = vocabulary('EventKind', 'What an event reports.', EVENT_KINDS);

const Event = builder.objectRef<FeedEvent>('Event').implement({
  ...throughParent,
  description: 'Something that happened to a merchant’s records, as webhook endpoints receive it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the event, which webhooks send as `webhook-id`.' }),
    type: t.expose('kind', { type: EventKindEnum, description: 'What happened.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When it happened.' }),
    data: t.field({
      type: 'JSON',
      description: 'The details of the event.',
      resolve: ({ body }) => (JSON.parse(body) as { data: unknown }).data,
    }),
    body: t.exposeString('body', { description: 'The event exactly as webhooks send it.' }),
    cursor: t.exposeString('cursor', { description: 'The position of the event, for `after`.' }),
  }),
});

const EventPageType = builder.objectRef<EventPage>('EventPage').implement({
  authScopes: { scope: 'receipts:read', may: 'receipts:read' },
  description: 'A page of a merchant’s events, the oldest first.',
  fields: (t) => ({
    events: t.expose('events', { type: [Event], description: 'The events.' }),
    nextCursor: t.exposeString('nextCursor', {
      description: 'The position after this page, for `after`. Read again from it when more may have happened.',
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more events follow now.' }),
  }),
});

builder.queryFields((t) => ({
  events: t.field({
    type: EventPageType,
    authScopes: { scope: 'receipts:read', may: 'receipts:read' },
    description: 'The merchant’s events in order, each once, for a reader that asks instead of receiving webhooks.',
    args: {
      after: t.arg.string({ description: 'The `nextCursor` of the last page. Without it, from the oldest event.' }),
      limit: t.arg.int({ description: `The maximum number of events, 1 to ${PAGE_MAX}. Default: 100.` }),
    },
    complexity: ({ limit }) => ({ field: 1, multiplier: Math.min(Math.max(limit ?? 100, 1), PAGE_MAX) }),
    resolve: (_, args, ctx) => readEvents(ctx, merchantOf(ctx.caller), parseInput(feedInput, args)),
  }),
}));
