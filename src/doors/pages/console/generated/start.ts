import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
const SharesText = 'fragment Shares on Split{id address recipients{address sharesBps platform}}';
export const StartSteps = ('query StartSteps{onboarding{next steps{step done}}}') as Operation<types.StartStepsQuery, types.StartStepsQueryVariables>;
export const StartSplit = ('query StartSplit{split{...Shares}}' + SharesText) as Operation<types.StartSplitQuery, types.StartSplitQueryVariables>;
export const StartProduct = ('query StartProduct{inventory(first:1){nodes{id name}}}') as Operation<types.StartProductQuery, types.StartProductQueryVariables>;
export const StartName = ('query StartName{memberships{id name current}}') as Operation<types.StartNameQuery, types.StartNameQueryVariables>;
export const ChangeSplit = ('mutation ChangeSplit($input:SplitInput!){replaceSplit(input:$input){...Shares}}' + SharesText) as Operation<types.ChangeSplitMutation, types.ChangeSplitMutationVariables>;