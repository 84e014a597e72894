import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
const KeyRowText = 'fragment KeyRow on ApiKey{id keyId label scopes state writes trustedOnly origins addresses createdAt lastUsedAt expiresAt revokedAt replacedBy}';
export const Keys = ('query Keys($first:Int$after:String$last:Int$before:String){keys(first:$first after:$after last:$last before:$before){nodes{...KeyRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + KeyRowText) as Operation<types.KeysQuery, types.KeysQueryVariables>;
export const IssueKey = ('mutation IssueKey($input:IssueKeyInput!$key:String!){issueKey(input:$input idempotencyKey:$key){secret key{...KeyRow}}}' + KeyRowText) as Operation<types.IssueKeyMutation, types.IssueKeyMutationVariables>;
export const RotateKey = ('mutation RotateKey($keyId:ID!$key:String!){rotateKey(keyId:$keyId idempotencyKey:$key){secret key{...KeyRow}}}' + KeyRowText) as Operation<types.RotateKeyMutation, types.RotateKeyMutationVariables>;
export const RevokeKey = ('mutation RevokeKey($keyId:ID!){revokeKey(keyId:$keyId){...KeyRow}}' + KeyRowText) as Operation<types.RevokeKeyMutation, types.RevokeKeyMutationVariables>;
export const FailedRequests = ('query FailedRequests{failedRequests{id at operation status code field correlationId keyId keyLabel}}') as Operation<types.FailedRequestsQuery, types.FailedRequestsQueryVariables>;