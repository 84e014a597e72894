import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Check } from '../client/field.tsx';
import { moneyText } from '../client/money-text.ts';
import { networkName } from '../client/network-name.ts';
import { type ShopSettingsQuery, UpdateShop } from '../generated/shop.ts';
import { words } from '../shared/words.ts';
import { SettingsForm } from './settings-form.tsx';

type Shop = NonNullable<ShopSettingsQuery['shopConfig']>;
type Option = Shop['paymentOptions'][number];

/** What a network takes, and how long it usually needs. */
function about({ paused, networkFeeUsd, expectedConfirmationMs }: Option): string {
  if (paused) return words.shop.paused;
  const seconds = Math.max(1, Math.round(expectedConfirmationMs / 1_000));
  const time =
    seconds < 90 ? words.shop.seconds({ seconds }) : words.shop.minutes({ minutes: Math.round(seconds / 60) });
  if (networkFeeUsd === null) return time;
  const fee = Number(networkFeeUsd);
  return `${time} · ${fee < 0.01 ? words.shop.underACent : words.shop.fee({ usd: moneyText(fee) })}`;
}

const labelOf = ({ chainId, token, network }: Option): string =>
  words.shop.tokenOn({ token, network: networkName(chainId, network) });

/** The list with the entry at a place moved one place up. */
function movedUp(options: readonly Option[], at: number): Option[] {
  const list = [...options];
  list.splice(at - 1, 0, ...list.splice(at, 1));
  return list;
}

/** The networks and tokens that buyers may pay in, in the order in which they see them. */
export function NetworksForm({ shop }: { readonly shop: Shop }) {
  const [everything, setEverything] = useState(shop.paymentTokens === null);
  const [options, setOptions] = useState<readonly Option[]>(shop.paymentOptions);
  const [gasless, setGasless] = useState(shop.gasless);
  const saving = useWrite(UpdateShop);
  const taken = shop.paymentOptions.filter((option) => option.chosen);
  const chosen = options.filter((option) => option.chosen);
  const none = !everything && chosen.length === 0;
  const save = async () => {
    if (none) return false;
    const paymentTokens = everything ? null : chosen.map(({ chainId, token }) => ({ chainId, token }));
    return (await saving.send({ input: { paymentTokens, gasless } })) !== null;
  };
  return (
    <SettingsForm
      values={[everything, options, gasless]}
      busy={saving.busy}
      problem={saving.problem}
      action={words.shop.saveNetworks}
      save={save}
    >
      {taken.every(({ paused }) => paused) && (
        <p class="note warn">{taken.length > 0 ? words.shop.allPaused : words.shop.allGone}</p>
      )}
      <Check checked={everything} onChange={setEverything}>
        {words.shop.everything}
      </Check>
      {!everything && (
        <fieldset class="networks">
          <legend class="field-label">{words.shop.networks}</legend>
          <p class="field-hint">{words.shop.networksHint}</p>
          <ol>
            {options.map((option, at) => (
              <li key={`${option.token}@${option.chainId}`}>
                <Check
                  checked={option.chosen}
                  onChange={(isChosen) =>
                    setOptions(options.map((each) => (each === option ? { ...each, chosen: isChosen } : each)))
                  }
                >
                  {labelOf(option)} <small class="soft">{about(option)}</small>
                </Check>
                <Button
                  kind="plain"
                  label={words.shop.moveUp({ label: labelOf(option) })}
                  disabled={at === 0}
                  onClick={() => setOptions(movedUp(options, at))}
                >
                  ↑
                </Button>
              </li>
            ))}
          </ol>
          {none && (
            <p class="field-problem" role="alert">
              {words.shop.noNetwork}
            </p>
          )}
        </fieldset>
      )}
      <Check checked={gasless} onChange={setGasless}>
        {words.shop.gasless}
      </Check>
    </SettingsForm>
  );
}
