import { Check } from '../client/field.tsx';
import type { PlanFieldsFragment, PlanTokenOptionsQuery } from '../generated/plans.ts';
import { words } from '../shared/words.ts';

export type PlanToken = PlanTokenOptionsQuery['planTokenOptions'][number];

const keyOf = ({ chainId, token }: { readonly chainId: number; readonly token: string }): string =>
  `${token}@${chainId}`;

/** The keys of the tokens that a plan takes; those of a plan without a choice if there is none. */
export const chosenKeys = (options: readonly PlanToken[], plan?: PlanFieldsFragment): readonly string[] =>
  plan?.paymentTokens?.map(keyOf) ?? options.filter(({ usual }) => usual).map(keyOf);

/** The choice to send: null if it is what a plan takes without one. */
export function choiceOf(options: readonly PlanToken[], keys: readonly string[]) {
  const chosen = options.filter((option) => keys.includes(keyOf(option)));
  const usual = options.filter((option) => option.usual);
  if (chosen.length === usual.length && chosen.every((option) => option.usual)) return null;
  return chosen.map(({ chainId, token }) => ({ chainId, token }));
}

interface PlanNetworksProps {
  readonly options: readonly PlanToken[];
  readonly keys: readonly string[];
  readonly onChange: (keys: readonly string[]) => void;
}

/** The tokens and networks that a plan may be paid in. */
export function PlanNetworks({ options, keys, onChange }: PlanNetworksProps) {
  return (
    <fieldset class="networks">
      <legend class="field-label">{words.plans.networks}</legend>
      {options.map((option) => {
        const key = keyOf(option);
        const change = (isChosen: boolean) => onChange(isChosen ? [...keys, key] : keys.filter((one) => one !== key));
        return (
          <Check key={key} checked={keys.includes(key)} onChange={change}>
            {words.shop.tokenOn(option.token, option.network)}
          </Check>
        );
      })}
      {keys.length === 0 && (
        <p class="field-problem" role="alert">
          {words.plans.noNetwork}
        </p>
      )}
    </fieldset>
  );
}
