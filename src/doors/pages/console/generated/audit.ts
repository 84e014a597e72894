import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
const AuditRowText = 'fragment AuditRow on AuditEntry{id number at action actor{kind wallet keyId}objectType objectId changes{field before after}address userAgent erased}';
export const AuditLog = ('query AuditLog($filter:AuditFilter$first:Int$after:String$last:Int$before:String){auditLog(filter:$filter first:$first after:$after last:$last before:$before){nodes{...AuditRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}newest:auditLog(first:1){nodes{id cursor}}}' + AuditRowText) as Operation<types.AuditLogQuery, types.AuditLogQueryVariables>;
export const AuditNames = ('query AuditNames($members:Boolean!$keys:Boolean!){members@include(if:$members){id wallet label self}keys(first:100)@include(if:$keys){nodes{id keyId label}}}') as Operation<types.AuditNamesQuery, types.AuditNamesQueryVariables>;
export const AuditNews = ('subscription AuditNews($after:String){auditEntries(after:$after){id number}}') as Operation<types.AuditNewsSubscription, types.AuditNewsSubscriptionVariables>;