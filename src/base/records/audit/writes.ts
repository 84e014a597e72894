import type { GraphQLField } from 'graphql';
import type { RateCategory } from '../../platform/config/rate-limits.ts';
import type { AuditAction } from './actions.ts';

/**
 * The rate category of a mutation, as `countsAs`, and the actions that it records in the audit log:
 * `...audits('others', 'shop.changed')` among a field's options. A test compares them with what is recorded; mutations
 * without actions are on its list.
 */
export const audits = (rate: RateCategory, ...actions: readonly [AuditAction, ...AuditAction[]]) =>
  ({ extensions: { rate, audits: actions } }) as const;

/** The actions that a mutation records; empty for those that record none. */
export const actionsOf = ({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): readonly AuditAction[] =>
  (extensions as { audits?: readonly AuditAction[] }).audits ?? [];
