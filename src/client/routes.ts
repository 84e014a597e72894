import type { operations } from './generated/api.d.ts';

type Route = keyof operations;

type Json<Of> = Of extends { content: { 'application/json': infer Content } } ? Content : never;

/** The body that a route takes. */
export type Body<Name extends Route> = Json<NonNullable<operations[Name]['requestBody']>>;

/** The parameters that a route takes. */
export type Query<Name extends Route> = NonNullable<operations[Name]['parameters']['query']>;

/** What a route answers when it succeeds. */
export type Answer<Name extends Route> = operations[Name]['responses'] extends infer All
  ? Json<All[keyof All & (200 | 201)]>
  : never;
